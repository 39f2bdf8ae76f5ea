# Mistakes in a plan.

a-date = 日付
a-list = リスト
a-number-with-fraction = 小数
a-table = テーブル
a-text = 文字列
a-whole-number = 整数
add-a-target = dsn = "mysql://user@host:3306/schema" または sandbox = "mariadbd" を含む [targets.a] を加えてください
add-an-experiment = [[experiment]] を加えてください
add-axis-to-matrix = マトリックスに "{ $axis }" = […] を加えてください
add-experiment-with-load = [experiment.load] と workload = "oltp_read_write" を含む [[experiment]] を加えてください
add-load = workload = "oltp_read_write" を含む [experiment.load] を加えてください
add-target-with-dsn = dsn = "…" を含む [targets.a] を加えてください
amount-empty = 値が空です。例: { $example }
amount-too-large = { $text } は大きすぎます
amount-without-number = { $text } は数で始まっていません。例: { $example }
amount-without-unit = { $text } に{ $unit }がありません
and-more-mistakes = 誤りがほかに { $more } 件あります。最初の { $most } 件を表示しています
and-more-notes = 注記がほかに { $more } 件あります。最初の { $most } 件を表示しています
apply-group-and-restart = apply にはパラメーターグループか、サーバーを再起動するコマンドのどちらか一方を指定してください
apply-group-without-cloud = 対象 { $target }: apply = "parameter-group" はマネージドインスタンスにしか使えませんが、cloud がありません
apply-has-no-restart = apply にサーバーを再起動するコマンドがありません
apply-not-of-target = 対象 { $target } のサーバー変数をこの方法で設定することはできません
apply-timeout-unused = apply の timeout はパラメーターグループにしか使えません
at-line = { $line } 行目 { $column } 列目: { $what }
axis-given-twice = { $axis } が 2 回指定されています
axis-takes-a-list = { $axis } には値のリストを指定します。{ $kind }は指定できません
axis-unknown = { $axis } はこのマトリックスの軸ではありません
axis-without-values = { $axis } に値がないため、マトリックスに条件がありません
axis-zipped-already = { $axis } はすでにほかの軸と連動しています
begin-with-schema = 先頭に schema = 1 と書いてください
belongs-in-section = { $name } は{ $section }のキーです
check-below-nothing = { $text } を満たす値はありません。{ $figure } は 0 未満になりません。<= と書けば 0 も許します
check-of-plan-example = check = ["p99 < 20ms", "errors < 0.1%", "tps > 500"]
check-unreadable = { $text } は指標の条件として読めません
check-wrong-side = { $text } では悪い値がすべて許されます。{ $figure } は逆側ほど良い値です
choose-longer-interval = interval を長くしてください
cloud-has-no-instance = cloud にインスタンス(rds)もクラスター(cluster)も指定されていません
cloud-has-no-region = cloud に region がありません
cloud-of-existing-servers = 対象 { $target }: cloud を指定できるのは、アドレスのある MySQL、MariaDB、PostgreSQL のサーバーだけです
compare-base-unknown = 比較の基準に指定した値が軸 { $axis } にありません
compare-no-axis = compare に指定した { $axis } は、この実験の matrix の軸ではありません
compare-one-value = 軸 { $axis } の値が 1 つしかないため、比較するものがありません
compare-sizes-differ = { $axis } に沿ってデータの量も変わります。{ $option } は { $a }で { $of_a }、{ $b }で { $of_b } のため、比は { $axis } だけの違いによるものになりません
compare-sizes-differ-hint = データの量を問う実験でなければ、両方の { $option } を同じにしてください
compare-with-search = 限界の探索(search)は、軸に沿って比較できません。探索は独自の水準を使います
compare-without-axis = compare に軸の指定がありません
copied-quote = { $quote } はウェブページが表示する引用符です
copied-space = ウェブページの改行しない空白(no-break space)があります
copied-wide-space = 全角の空白があります
correct-and-look-again = 修正してから tenbin plan check PLAN で確認してください
data-sets = データセット
dataset-kind-cannot-be-varied = データセットの種類は軸にできません
dataset-missing = 実験にデータセットの指定がありません: { $names }
dataset-unknown = プランにデータセット { $dataset } はありません
describe-dataset = [datasets.{ $name }] で定義してください
describe-dataset-or-use = [datasets.{ $name }] で定義するか、次のいずれかを使ってください: { $datasets }
describe-target = [targets.{ $name }] で定義してください
describe-target-or-use = [targets.{ $name }] で定義するか、次のいずれかを使ってください: { $names }
duet-allow-shared-machine = 別々のマシンに置くか、order = "random-block" を使うか、すべての対象で許可してください: allow = ["shared-machine"]
duet-beside-clients = 対象 { $target } は、すべての対象を同時に駆動するクライアントと同じマシンにあります
duet-compares-targets = order = "duet" は同じ条件の対象を同時に駆動します。探索(search)の水準や比較(compare)する軸の値は、順に実行するものです
duet-needs-equal-times = order = "duet" では、すべての対象を同じ時間駆動するため、ウォームアップと計測の長さを固定し、クライアントが自ら終了しない負荷を使う必要があります
duet-needs-targets = order = "duet" には同時に駆動する対象が 2 つ以上必要ですが、1 つしかありません
duet-same-server = 対象 { $a } と { $b } は同じサーバーです。同時に実行する 2 つの試行が、互いのテーブルやメモリーを使うことになります
duet-shared-machine = 対象 { $a } と { $b } は同じマシン({ $machine })にあり、同時に駆動すると互いに影響します
duet-use-blocks = order = "random-block" を使ってください
duet-with-hosts = order = "duet" はこのプロセスが駆動するもので、負荷ホストでは使えません
every-cell-excluded = マトリックスのすべての条件が除外されています
exchange-from-and-to = from と to を入れ替えてください
exclude-empty = 空の exclude は何も除外しません
exclude-less = exclude から何かを外してください
exclude-takes-tables = exclude にはテーブルのリストを指定します
excluded-value-unknown = { $axis } がこの値になることはないため、何も除外されません
exclusions = 除外
experiment-named-twice = { $name } という実験が 2 つあります
experiments = 実験
experiments-empty = 実験の一覧が空です
exporter-has-no-address = エクスポーター { $exporter } に接続先がありません
exporter-period-out-of-range = エクスポーターを読み取る間隔は 100 ミリ秒以上 1 時間以下です
exporters = エクスポーター
field-cannot-be-varied = { $axis } は軸にできる項目ではありません
file-of-sql-is-no-workload = { $file } は SQL のファイルで、ワークロードではありません
gate-figure-not-had = プランのどの負荷にも、限界 { $limit } の指標がありません
gate-figures-of-loads = tps と qps の低下はクローズドループ、nopm は tpcc、seconds はクエリ数を指定した slap の指標です。mean、p50〜p99.9、max、errors は、探索を除くどの負荷にもあります。探索では、見つかった限界の低下を tps で判定できます
give-at-least-one-value = 値を 1 つ以上指定するか、軸を削除してください
give-axis-another-value = matrix の { $axis } に値を追加するか、compare を削除してください
give-number-from-zero = { $key } には 0 以上の数を指定してください
give-one-another-name = 一方に別の名前を付けてください
give-replica-address = レプリカの接続先を指定してください: "mysql://user@host:port"
give-replica-dsn-or-sandbox = dsn = "mysql://user@host:port" か sandbox = true を指定してください
give-restart-command = restart = "systemctl restart mariadb" のように指定してください
give-starts-per-second = 毎秒の開始数を指定してください
give-value-or-remove = 値を指定するか、{ $key } を削除してください
give-whole-number = { $from } から { $to } までの整数を指定してください
group-named-twice = { $name } というクライアントグループが 2 つあります
group-without-name = クライアントグループに名前がありません
group-without-scripts = グループ { $name } にスクリプトがありません
groups-of-clients = クライアントグループ
host-is-no-destination = host に書けるのは "local"、"none"、またはパスワードを含まない ssh の接続先です
host-of-sandbox = 対象 { $target }: 専用サーバーはこのマシンで動作するため、host に別のマシンは指定できません
interval-too-short = interval の最小値は 10ms です
keep-dsn-or-sandbox = 起動済みのサーバーなら dsn だけを、起動させるなら sandbox だけを残してください
keep-one-of-repeats = 1 つだけ残してください。条件を実行する回数は repeats で指定します
keep-one-of-them = 一方だけ残してください
keep-one-you-mean = 必要な方だけ残してください
keep-those-you-mean = 必要なものだけ残してください。プランは複数に分けられます
key-beside-groups = { $key } がクライアントグループと並べて指定されています。グループごとに指定するものです
key-cannot-be = { $key } に { $value } は指定できません
key-cannot-be-set-here = { $key } はここでは指定できません
key-given-twice = { $key } が { $before } と { $again } で 2 回指定されています
key-is-a-duration = { $key } は時間です。{ $kind }は指定できません
key-is-a-number = { $key } は数です。{ $kind }は指定できません
key-is-a-text = { $key } は文字列です。{ $kind }は指定できません
key-is-a-whole-number = { $key } は整数です。{ $kind }は指定できません
key-is-empty = { $key } が空です
key-is-no-amount = { $key }: { $why }
key-is-true-or-false = { $key } は true または false です。{ $kind }は指定できません
key-not-with-groups = クライアントグループを使うときは { $key } を指定できません
key-of = { $section } の { $name }
key-of-private-servers = 対象 { $target }: { $key } は専用サーバーにしか指定できません
key-takes-one-value = { $key } に指定できる値は 1 つです。{ $kind }は指定できません
key-takes-tables = { $key } にはテーブルごとのセクションを書きます
key-unknown = { $key } は{ $section }のキーではありません
keys-in = { $section }のキー
later-experiment-chart = グラフはページ側で選ばれます
later-experiment-check = 実行の合否や中断の条件は今後の対応です
later-experiment-table = 表はページ側で選ばれます
later-experiment-watch = レプリカ、バイナリーログ、CloudWatch は常に観測されます
later-metrics-host = クライアントとサーバーのマシンは常に観測します。オブザーバーの選択は今後の対応です
later-metrics-server = ステータス変数は常に観測します。オブザーバーの選択は今後の対応です
later-top-allow-drop = Tenbin は自分の印があるものだけを削除します
limit-of-plan-example = "p99 5%" のように書いてください。値の名前は tps、qps、nopm、seconds、mean、p50〜p99.9 です
line-of-plan = { $line } | { $text }
link-of-private-servers = 対象 { $target }: 模擬回線を使えるのは、MySQL、MariaDB、PostgreSQL の専用サーバーだけです
list-the-values = 値そのものを並べてください: "{ $axis }" = […]
load-kind-unknown = 負荷の種類 { $kind } はありません
longer-than-a-month = { $key } が 1 か月を超えています
longest-is-31d = 最長は "31d" です
make-their-lists-equally-long = リストの長さを揃えてください
max-cell-time-zero = max_cell_time が 0 では時間がありません
measure-until-figure = 計測を終える条件に使えるのは tps だけです。ほかの指標は複数回の実行から求めます
measure-until-limits = min は max より短くなければなりません
measure-zero = measure が 0 のため、何も計測されません
more-than-most = { $what }が { $all } 個あり、上限の { $most } 個を超えています
name-axes-to-exclude = 除外する軸と値を指定してください
name-axis-once-in-zip = zip では同じ軸を 1 回だけ指定してください
name-each-target-once = 同じ対象は 1 回だけ指定するか、接続先が同じ対象をもう 1 つ定義してください
name-of-group = 英数字、- と _ だけで、40 文字以内にしてください
name-targets-or-remove-key = 対象を指定するか、すべての対象を使うならキーを削除してください
name-with-letters-and-digits = 英数字と "-"、"_" を使ってください
no-target-in-targets = [targets] に対象がありません
no-unit = 単位なし
not-a-count = 数を指定してください: 10000、10k、1M、1e6 など
not-a-replica-name = { $name } はレプリカの名前として使えません
not-a-unit = { $text } は{ $unit }ではありません
not-an-exporter-address = { $address } はエクスポーターの接続先ではありません
not-an-exporter-name = { $name } はエクスポーターの名前として使えません
not-toml = TOML として読めません: { $message }
not-utf-8 = バイト 0x{ $byte } は UTF-8 ではありません。プランは UTF-8 で書きます
not-yet = まだ使えません: { $thing }({ $why })
objective-for-example = "p99 < 20ms, errors < 0.1%" の形式で指定してください(mean、p50〜p99.9、max は時間、errors は百分率、tps > 数値)
objective-unreadable = { $text } は目標の指定として読み取れません
one-cell = 1 条件
operations-given-twice = operations と operations_per_client が両方指定されています
option-in-address-too = { $option } が接続先にも書かれています
option-means-nothing = { $option } はこのデータベースでは意味がありません
password-given-twice = 対象 { $target } のパスワードが 2 回指定されています
password-in-plan = 対象 { $target } のパスワードがプランに書かれています。書き出されるものには含めません
path-not-absolute = { $key } は絶対パスです。{ $value } は絶対パスではありません
paths-of-run-start-here = 実行のプラン内のパスは、現在のディレクトリを起点とします。実行したプランのあったフォルダーへ移るか、そのプランを指定してください
paths-start-at-plan = プラン内のパスは、プランのあるフォルダーを起点とします。ファイルをそこへ移すか、絶対パスで書いてください
plan-has-no-experiment = プランに実験がありません
plan-has-no-targets = プランに対象がありません
plan-path-elsewhere = { $path } がプランと同じ場所にありません
plan-path-of-run = 実行のプランにある { $path } が、現在のディレクトリにありません
plan-path-only-here = { $here } はありますが、{ $file } はありません
plan-path-without-home = ホームディレクトリがわからないため、{ $path } の場所がわかりません
plan-schema-missing = プランに schema がありません
plan-schema-unknown = schema { $schema } はこのバージョンでは読めません
precision-for-example = "ci(tps) < 2%" の形式で指定してください(tps、qps、nopm、seconds、mean、p50〜p99.9 のいずれかと、0.1〜50%)
precision-unreadable = { $text } は精度の指定として読み取れません
prefer-password-env = password_env = "NAME" または password_file = "PATH" を使ってください。保存されたプランを再実行できるようになります
private-replica-of-own-server = ソースが専用サーバーではないため、レプリカ { $replica } を専用サーバーにすることはできません(ソースのデータがありません)
range-ends-before = { $axis } の範囲の終わりが始まりより前にあります
range-from-zero = { $axis } の範囲が増えません。0 や負の数を { $times } 倍しても大きくなりません
range-of-different-units = { $axis } の範囲に、互いに倍数でない単位があります: { $units }
range-step-too-small = { $axis } の範囲の step は 0 より大きくなければなりません
range-takes-numbers = { $axis } の範囲の { $key } は数(単位を付けられます)です。{ $found }ではありません
range-times-too-small = { $axis } の範囲の times は 1 より大きい数です
range-too-long = { $axis } の範囲の値が { $most } 個を超えます
range-with-both = { $axis } の範囲に times と step の両方があります
range-without-ends = { $axis } の範囲には from と to が必要です
range-without-step = { $axis } の範囲に times も step もありません
rate-too-high = レートが毎秒 10⁹ を超えています
refutes-lacks = [refutes] に { $key } がありません
remove-option = { $option } を外してください
repeats-until = 繰り返し { $min }〜{ $max } 回({ $until } になるまで)
repeats-until-limits = min は 2 以上かつ max 未満でなければなりません
repeats-until-order = 必要な精度が得られたら終わる繰り返しでは、対象を交互に実行する必要があります
repeats-until-order-hint = order = "random-block" または "abba" を指定してください
replica-address-and-sandbox = レプリカ { $replica } に接続先と sandbox の両方が指定されています
replica-delay-in-seconds = レプリカの delay は 1 秒単位で、最大 1 日です
replica-has-no-address = レプリカ { $replica } の接続先がありません
replica-sandbox-is-true = レプリカの sandbox には true か false を指定します。サーバーの種類はソースと同じになります
replica-settings-of-sandboxes = レプリカ { $replica } の server と delay を指定できるのは専用サーバーだけです
replicas = レプリカ
replicas-of-mysql-only = レプリカを観測できるのは MySQL と MariaDB だけです
restore-with-replicas = 対象 { $target } にはレプリカがあるため、{ $kind } でリストアすることはできません。レプリカには以前のデータが残ってしまいます
scale-out-of-range = { $scale } は 0 より大きく 1 より小さい数(例: 0.001)ではありません
search-limits = from は 0 より大きく、to より小さくなければなりません
section-is-a-table = { $section } はテーブルです。{ $kind }は指定できません
see-plan-reference = プランのリファレンスを参照してください
see-tenbin-plan-example = `tenbin plan example` を参照してください
server-variables = サーバー変数
set-home-or-write-whole-path = HOME を設定するか、~/… ではなく /home/… のように絶対パスで書いてください
set-on-replica-itself = レプリカ側で設定してください
shorten-matrix = マトリックスのリストを短くするか、zip で軸を連動させてください
shorten-range = 増え方を大きくするか、終わりを手前にしてください
take-out-key = 外してください。プランのほかの部分には必要ありません
take-out-of-address = 接続先から外してください
target-address-and-sandbox = 対象 { $target } に接続先と sandbox の両方が指定されています
target-has-no-name = 名前のない対象があります
target-named-twice = 対象 { $target } が 2 回指定されています。自分自身との比較はできません
target-of-axis-unknown = { $axis } は、この実験にない対象のものです
target-unknown = プランに対象 { $target } はありません
targets = 対象
targets-are-no-axis = 対象はマトリックスの軸にできません。すべての条件がすべての対象で実行されます
targets-empty = targets が空です。比べる対象がありません
toml-copied = { $character }。TOML が読めるのは " と ' と通常の空白だけです
toml-in-short = 文字列は "引用符"、リストは [角括弧] で囲み、キーごとに行を分けてください
toml-put-comma = 間にコンマを入れてください
toml-says-no-bracket = 表の見出しの ] がありません
toml-says-no-comma = キーと値の組の間にコンマがありません
toml-says-no-end = 文字列の終わりの " がありません
toml-says-no-key = 引用符のないキーに使えるのは英数字と - と _ だけです
toml-says-no-quotes = 文字列が引用符で囲まれていません
toml-says-no-value = キーに値がありません(= が必要です)
toml-says-twice = 同じキーが 2 回あります
toml-table-in-lines = 波括弧で書いた表は続けられません。[experiment.load] と書き、その下にキーごとに行を分けてください
too-many-axes = マトリックスの軸が { $most_axes } 個を超えています
too-many-intervals = 計測 { $measure } を間隔 { $interval } で報告すると、報告間隔が 100 万個を超えます
too-many-patterns = エクスポーター { $exporter } のパターンが { $most } 個を超えています
too-many-trials = プランは { $trials } 試行({ $cells } × 繰り返し { $repeats } 回 × 対象 { $targets } 個)になり、10,000 を超えます
top-of-plan = プランの先頭部
true-or-false = 真偽値
two-baselines = 対象 { $one } と { $other } の両方が基準(baseline)になっています
unit-of-bit-rate = レートの単位(毎秒の bit、kbit、Mbit、Gbit)
unit-of-short-time = 時間の単位(us、ms、s)
unit-of-size = サイズの単位(B、KiB、MiB、GiB、TiB、KB、MB、GB、TB)
unit-of-time = 時間の単位(ms、s、m、h、d)
until-missing = { $key } をテーブルで指定するときは until が必要です
use-an-axis = load.NAME、dataset.NAME、server.NAME、targets.TARGET.server.NAME または { $swept } のいずれかを使ってください
use-apply-of-mysql = apply = "set-global"、"persist"、"parameter-group" のどれかを書くか、apply.file と apply.restart を指定してください
use-apply-of-postgres = apply = "alter-system" を書くか、apply.restart を指定してください
use-fewer-patterns = パターンを減らしてください。* は任意の文字列を表します
use-value-of-matrix = マトリックスのリストにある値を使ってください
value-stands-twice = { $axis } に { $value } が 2 回あります
values-of = { $axis } の値
values-of-axis = { $axis } の値 { $n } 個
variables-cannot-be-set = 対象 { $target } には設定できるサーバー変数がありません
vary-less = 一度に変える軸を減らすか、実験を分けてください
vary-server-of-target = 対象について変えられるのはサーバー変数だけです: "targets.名前.server.変数"
vary-two-datasets = データセットを 2 つ定義し、"dataset" を軸にしてください
warmup-shorter-than-interval = ウォームアップの下限 { $min } が、レポート間隔 { $interval } より短くなっています。スループットが安定したかどうかは、間隔ごとの値で判定します
warmup-takes-clients-part = 担当分のあるクライアントは、ウォームアップ中にそれを終えてしまいます
warmup-too-few-intervals = 上限 { $max } のウォームアップでは、間隔 { $interval } の区間が少なく、スループットが安定したかどうかを判定できません({ $least } 区間以上必要です)
workload-missing = 実験にクライアントの処理の指定がありません
workload-without-groups = ワークロード { $workload } ではクライアントグループを使えません
write-dataset = [[experiment]] に dataset = { $dataset } と書いてください
write-dataset-axis = "{ $axis }" と書いてください(実験で使うデータセットの項目です)
write-it = { $near } と書いてください
write-key = { $key } = { $value } と書いてください
write-key-for-example = 例: { $key } = { $value }
write-key-in = { $section }に { $key } = { $value } と書いてください
write-key-in-group = { $key } は各 [[experiment.load.group]] に書いてください
write-kind-or-workload = kind = { $kind } と書いてください。ワークロードの名前であれば workload = { $workload } と書いてください
write-load-axis = "load.{ $axis }" と書いてください
write-named-dataset = [datasets.d] と書いてください
write-named-target = [targets.a] と書いてください
write-one-unit = すべてを同じ単位で書いてください
write-retried-errors = { $key } = "known"、"all"、またはサーバーのコード("1213, 1205"、"40P01, 23505")と書いてください
write-schema-or-update = schema = 1 と書くか、新しいバージョンの Tenbin を使ってください
write-server-variable = サーバーの変数なら { $server } と書いてください。キーは { $names } です
write-table-section = [datasets.NAME.{ $key }.TABLE] に、rows と、列ごとの生成器を書いてください(例: id = "serial")
write-targets-in-experiment = [[experiment]] に targets = ["…"] と書いてください
write-value-or-sweep = { $key } = VALUE と書くか、[experiment.matrix] の軸にしてください
write-warmup-zero = warmup = "0s" と書くか、時間で計測してください
zip-takes-lists = zip には軸のリストのリストを指定します
zipped-axes-differ = zip で連動させる軸には同じ数の値が必要です({ $lengths } になっています)
zipped-values-stand-twice = 連動する軸に { $values } が 2 回あります
