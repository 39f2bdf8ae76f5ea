# The command line.

add-option = { $option } を加えてください
add-ssl-ca = --ssl-ca /path/to/ca.pem を加えてください
allow-compare-changed-server = それでも比較するには --allow changed-server を付けてください。違いは結果に表示されます
allow-is-not-known = --allow に { $word } は指定できません
and-more-trials = …ほか { $n } 試行(--json ですべて表示)
at-most = 最長 { $value }
charts-need-a-directory = グラフは 1 つずつファイルになります
clock-shows-no-date = このマシンの時計は、ランの名前に使える日付を示していません
clock-shows-year = 時計の年は { $year } です
column-variable = 変数
compare-names-do-not-fit = { $runs } 個の実行には、互いに異なる名前を 1 個ずつ指定してください(指定は { $names } 個)
compare-names-example = --names before,after
compare-runs-of-one-plan = 同じプランの実行、またはマトリックスの値が同じプランの実行を比較してください
compared-server-changed = 対象 { $target } のサーバーは、これらの実行で同じではありません
connections-in-databases = 接続は { $count } 個のデータベース({ $first } から { $last })に順に割り当てられます
diff-changed-mark = * サーバーの組み込みの既定値と異なる値
diff-counted = { $n ->
    [0] 比較した変数 { $compared } 個のうち、異なる設定はありません
   *[other] 比較した変数 { $compared } 個のうち、{ $n } 個の設定が異なります
  }
diff-csv-field-of-lines = { $line } 行目から、1 つの値が複数行にわたっています(引用符が閉じられていません)
diff-csv-is-empty = 値の列がありません
diff-csv-looks-like = 1 行目に見出し(variable,a,b)、2 行目以降に変数を 1 行ずつ書いてください
diff-file-cannot-be-read = ファイル { $file } を読み込めません
diff-file-sets-nothing = ファイル { $file } には、サーバーの変数の指定がありません
diff-file-too-long = { $most } を超えています
diff-give-address-directory-or-file = 接続先(mysql://user@host:3306/)、実行ディレクトリ、オプションファイル、CSV ファイルのいずれかを指定してください
diff-missing = 比較対象外: 一部のサーバーにしかない変数 { $n } 個: { $names }
diff-name-another = 別の実行か、サーバー自体を指定してください
diff-name-two = 2 つ以上指定してください: tenbin diff mysql://user@a/ mysql://user@b/
diff-names-and-more = { $names } ほか { $n } 個
diff-nothing-there = { $source } というファイルやディレクトリはなく、接続先でもありません
diff-option-file-looks-like = オプションファイルには、グループ [mysqld]、[mariadb]、[server] のいずれかと、NAME=VALUE の行が必要です。CSV ファイルの拡張子は .csv です
diff-own-to-server = 省略: どのサーバーでも異なるパス、アドレス、識別子、時刻 { $n } 個: { $names }
diff-partial = オプションファイルは、そこに書かれている変数だけを比較しています(書かれていない変数の既定値は分かりません)
diff-run-has-no-variables = { $dir } の実行には、サーバーの変数の記録がありません
diff-secret = パスワードを含む可能性があるため省略: { $n } 個: { $names }
diff-too-many-columns = { $columns } 台のサーバーがあります。比較するのは { $most } 台までです
diff-too-many-values = 値が { $most } 個を超えています
diff-wants-two = 比較できません: サーバーが 1 つしか指定されていません
disk-planned = データベースに約 { $bytes }
figure-unknown = { $name } という指標はありません
figures-that-there-are = tps、nopm、seconds、mean、p50〜p99.9 のいずれかを指定してください
file-cannot-be-written = { $file } に書き込めません
old-option-cannot-be = { $option } に { $value } は指定できません
file-cannot-be-written-because = { $file } に書き込めません: { $error }
for-example-innodb-buffer-pool-size-64m = 例: innodb_buffer_pool_size=64M
free-space-for-output = 出力先の空きを増やしてください。保存された実行は `tenbin list` で一覧できます
gate-compares-nothing = 2 つの実行に共通する値のうち、上限が指定されたものがありません
gate-failed = 判定    不合格
gate-figure-is-in-no-experiment = 上限が指定された { $figure } は、2 つの実行のどの実験にもありません
gate-has-no-limits = { $dir } のプランには、悪化の上限がありません
gate-line = { $figure }  { $b } は { $a } の { $ratio } 倍({ $interval })。低下の上限 { $limit }: { $outcome }
gate-line-without-result = { $figure }  両方の実行にはない値です。低下の上限 { $limit }: { $outcome }
gate-passed = 判定    合格
gate-run-is-invalid = 実行 { $dir } は無効(INVALID)のため、比較に使えません
give-a-plan = プランを指定してください。例は tenbin plan example で表示できます
give-another-metrics-port = 別のポートを指定してください: --metrics 127.0.0.1:9465
give-authority-by-option = 署名した認証局を指定してください: { $option }=/path/to/ca.pem
give-limits-of-figures-that-runs-have = その上限を除くか、実行にある値の上限を指定してください: --max-regression 'p99 5%'
give-max-regression = --max-regression 'p99 5%'、またはプランに [gate] max_regression = ["p99 5%"]
give-metrics-address = アドレスとポートを指定してください: --metrics 127.0.0.1:9464(このマシンのすべてのアドレスなら 0.0.0.0:9464)
give-others-with-u-and-p = -u と -p(または MYSQL_PWD)で別のアカウントを指定してください。確認: { $client } { $database }
give-path-or-begin-plan = プランのパスを指定するか、新しく作成してください: tenbin plan example > { $name }
give-plan-in-it = その中のプランを指定してください: ls { $name }
ignore-error = このようなエラーの後にイベントをやり直すには: { $option }
in-file = { $file }: { $what }
is-server-running-ping = サーバーは起動していますか? ポートは正しいですか? { $ping }
keep-or-load-again = { $keep }、またはロードし直してください: { $load }
leave-out-option = { $option } を外してください
level-changed = ここから { $percent }%: 以前は { $before }、以後は { $after }
level-did-not-change = { $n } 回の実行に水準の変化は見つかりませんでした(2% 未満の変化は示しません。10 回ほどの実行が必要です)
limit-example = --max-regression 'p99 5%'。値は tps、nopm、seconds、mean、p50〜p99.9 です
limit-exceeded = 上限超過
limit-held = 上限以内
limit-undecided = 判断できません。上限を超えないことを示すには繰り返しが足りません
limit-unreadable = { $limit } は性能低下の上限として読み取れません
longer-than-4-mib = 4 MiB を超えています
look-at-file = ファイルを確認してください: ls -l { $name }
look-at-report = tenbin report { $dir } --format text
look-into-error-log = サーバーのエラーログとディスクの空き容量を確認してください
ls-ld-tells-who-may = 書き込み権限は ls -ld { $folder } で分かります
ls-tells-who-may-read = 読み取り権限は ls -l { $name } で分かります
manual-pages-cannot-be-written = マニュアルページを { $dir } に書き込めませんでした
metrics-address-failed = { $address } では実行中の数値を提供できません
mkdir-p-unquoted = mkdir -p { $folder }
name-another-file = --out で別のファイルを指定してください
name-directory-for-charts = 出力先のディレクトリを指定してください(--out charts)
name-file-in-it = その中のファイルを指定してください: { $path }
name-writable-folder = 書き込めるフォルダーを指定してください: tenbin man --dir FOLDER
no-more-threads = これ以上スレッドを作成できません
no-report-in-language = 言語 { $language } のレポートはありません
no-runs-of-plan = { $folder } に、{ $name } という名前のプランの実行はありません
no-thread-for-signals = シグナル用のスレッドを開始できません
no-thread-for-trace-files = -f と -t のためのスレッドを開始できません
not-name-value = { $pair } は NAME=VALUE の形ではありません
parquet-not-written = 結果を Parquet として書き出せません。これは Tenbin の不具合です
plan-cannot-be-read = プラン { $plan } を読めません
raise-limit-of-processes = このアカウントのプロセス数とスレッド数の上限 (ulimit -u で確認できます) を上げるか、クライアントとワーカーを減らしてください
redo-of-open-ended = --redo は繰り返しを追加しますが、このプランは必要な試行数を自分で決めます(until 付きの repeats、または search)
repeat-number = 繰り返し { $n }
run-without-redo = プランをあらためて実行し、tenbin compare で 2 つの実行を比べてください
runs-have-no-common-cell = これらの実行には共通の条件がなく、比較できるものがありません
script-thread-panicked = スクリプトのスレッドが異常終了しました。Tenbin の不具合です
server-or-option = { $server }、または { $option }
server-silent-for-a-minute = サーバーから 1 分以上応答がないため、待つのをやめました
set-the-clock = date で時刻を確認し、timedatectl set-ntp true で合わせてください
signals-cannot-be-received = シグナルを受け取れません
standard-output-lost = 標準出力に書き込めませんでした。出力の全部または一部が失われています
stopped-at-once-kept = 即時停止しました。それまでの記録は残っています
stopping = 停止します。現在の報告間隔を終えてから実行を閉じます(もう一度操作すると即時停止)
stopping-looks = 停止します。残りの対象は確認しません
stopping-sandbox = 停止します。起動中のサーバーを止めて削除します
tables-are-taken-as-they = テーブルはロードしたときの設定のまま使います: { $all }
tables-are-there-already-complete = テーブルはすでに揃っています
tenbin-load-command = tenbin load { $workload } '{ $dsn }'{ $secret }{ $options }
time-at-most = 最長で約 { $whole }(負荷 { $drive }、ロード約 { $load })
time-planned = 約 { $whole }(負荷 { $drive }、ロード約 { $load })
trace-files-not-whole = -f と -t のファイルは不完全です
trials-at-most = { $name }: 最大 { $n } 試行(この順序で実行)
trials-in-order = { $n ->
    [1] { $name }: 1 試行
   *[other] { $name }: { $n } 試行(この順序で実行)
  }
ulimit-u-tells-how-many = 上限は ulimit -u で分かります
use-empty-database = 空のデータベースを使ってください
use-it-or-drop-first = そのまま使うか、先に削除してください: { $drop }
use-lang-en-or-ja = --lang en または --lang ja を指定してください
use-one-of-all = { $names } のいずれかを指定してください
use-option-on-trusted-line = 信頼できる経路であれば { $option } を使ってください
use-them-as-they-are = そのまま使うか、--drop を付けてロードし直してください
use-them-as-they-are-not-ours = そのまま使ってください。Tenbin が作成したものではないため、削除しません
w-or-load-others = -w { $there } を指定するか、不足分をロードしてください: { $load }
warehouses-in-each = それぞれ { $warehouses } 倉庫
workload-has-no-option = ワークロード { $workload } にオプション { $option } はありません
