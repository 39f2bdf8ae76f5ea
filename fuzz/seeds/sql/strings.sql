SELECT E'a'  -- and
'b\';
\foo';
SELECT [a;b], E'c'
'\'' \gset
\startpipeline
SELECT 1;
\endpipeline
