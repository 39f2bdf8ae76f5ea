# TPC-B と pgbench。

give-scale-of-tables = テーブルのスケールを指定してください
load-tpcb-again = もう一度ロードしてください: tenbin load tpcb_like { $address } --drop --scale { $scale }。または restore = "before-run" を指定してください
no-row-in-mark = { $mark } に { $table } の行がないか、同じ名前の以前のテーブルの行です
pgbench-allow-change = 中身を確認してください。pgbench -i --allow-drop とすれば、空にしたり変更したりします
pgbench-allow-drop = 中身を確認してください。pgbench -i --allow-drop とすれば削除します
pgbench-needs-postgresql = { $address } は PostgreSQL ではありません
pgbench-script-wrong = スクリプトを実行できません
table-not-ours = テーブル { $table } は Tenbin が作成したものではないため、削除しません
table-not-ours-left = テーブル { $table } は Tenbin が作成したものではないため、空にせず、変更もしません
tpcb-account-missing = 口座 { $aid } がありません
tpcb-found = 検出: 支店 { $branches } 件、最後の口座は { $accounts }
tpcb-of-another-scale = テーブルのスケールが { $scale } ではありません
use-another-schema-for-tpcb = 別のデータベースを使うか、これらのテーブルのスケールを指定してください。Tenbin が作成したものではないため、削除しません
