-- tenbin: name=pay prepare retry=3 expect="rows = 1" idle=5ms
\set aid random_zipfian(1, 100000 * :scale, 1.2)
\if :aid > 5 and not false
UPDATE a SET b = b + (:aid) WHERE c = 'it''s' AND d = $q$;$q$ /* ; */; -- e
\elif case when :aid is null then 1 end = 1
SELECT 1 AS x \gset p_
\else
\sleep :aid us
\endif
select 1\; select E'\';';
