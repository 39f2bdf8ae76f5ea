# 利用者の SQL。

path-starts-at = / で始まらないパスは、Tenbin を起動したディレクトリ { $dir } から始まります
sql-after-load-does-more = { $option } の { $line } 行目: { $verb } は、Tenbin のものでないものを変更するおそれがあります
sql-argument-wrong = { $name } の { $at } 番目の引数がないか、正しくありません
sql-call-wrong = 生成器として正しくありません: { $text }
sql-calls-loadable = 文がサーバーのローダブル関数を呼び出す可能性があります。この関数は読み取り専用のセッションでも何にでも書き込めます
sql-close-quote = 閉じるか、その文字を取り除いてください
sql-column-needs-values = { $script } はテーブル { $table } の列 { $column } を NOT NULL、デフォルト値なしで作成しますが、プランにはその値がありません
sql-column-not-created = { $script } が作成するテーブル { $table } に、列 { $column } はありません
sql-column-takes-no-null = { $script } はテーブル { $table } の列 { $column } を NOT NULL で作成しますが、その生成器は NULL を生成します
sql-column-twice = テーブル { $table } の列 { $column } が 2 回書かれています
sql-column-wrong = テーブル { $table } の列 { $column }: { $why }
sql-command-failed = { $script } の { $line } 行目: { $why }
sql-comment-contradicts = { $name } は、前にある Tenbin へのコメントと矛盾します
sql-comment-example = 次のように書いてください: -- tenbin: name=pay prepare retry=3 expect="rows = 1" idle=5ms
sql-comment-mark = Tenbin へのコメントは、この綴りのまま -- tenbin: で始めます
sql-comment-without-statement = Tenbin へのコメント({ $name })の後に文がありません
sql-copied = { $character }。SQL が読めるのは " と ' と通常の空白だけです: { $command }
sql-correct-or = { $correct }。名前が正しければ: { $otherwise }
sql-create-apart = 文を 1 つずつセミコロンで区切ってください
sql-create-does-more = { $script } の { $line } 行目: { $verb } は、Tenbin のものでないものを変更するおそれがあります
sql-create-has-command = { $script } の { $line } 行目: テーブルを作成するファイルには、バックスラッシュのコマンドを書けません
sql-create-joins-statements = { $script } の { $line } 行目: \; でつないだ文はまとめて送られるため、最初の文しか確認できません
sql-create-only = テーブルを作成する文と、それらのテーブルについての文だけにしてください。Tenbin は自分のテーブルを印によって削除します
sql-create-sql-only = SQL だけを書いてください
sql-create-table-or-correct = 名前を直すか、テーブル { $table } を先に作成してください
sql-data-example = create = "schema.sql" のように書いてください
sql-data-without-create = 種類 "sql" のデータセットには、テーブルを作成するファイルが必要です
sql-decimal-places = decimal の小数部は 0 から 15 桁です
sql-define-example = define = "hot=100, region=eu" のように書いてください
sql-define-wrong = { $item } は変数と値の組ではありません
sql-division-by-zero = ゼロで除算しました
sql-empty-range = 乱数の範囲が空です
sql-end-transaction = 最後に COMMIT; を書いてください
sql-expect-of-several = { $script } の { $line } 行目: \; でつないだ複数の文の結果には、期待を書けません
sql-expectation-failed = { $script } の { $line } 行目: 期待は { $expectation } でしたが、結果は { $found } でした
sql-exponential-parameter = 指数分布のパラメーターは 0 より大きくなければなりません
sql-expression-too-deep = 式の入れ子が深すぎます
sql-file-names-public = { $script } はスキーマ public を指定していますが、接続先のスキーマは { $schema } です
sql-file-not-utf-8 = ファイル { $file } が UTF-8 ではありません
sql-gaussian-parameter = 正規分布のパラメーターは 2 以上でなければなりません
sql-give-generator = { $column } = "serial" のように値を生成するか、ファイルで DEFAULT を指定してください
sql-give-generator-without-null = { $column } に null(…) の中の生成器をそのまま指定するか、ファイルの NOT NULL を除いてください
sql-give-weights = ファイルと重みを指定してください: scripts = ["pay.sql@30", "look.sql@70"]
sql-groups-and-scripts = scripts と groups が両方指定されています
sql-groups-wrong = クライアントグループとして読めません: { $item }
sql-histogram-wrong = ヒストグラムは "1-10: 50, 11-100: 30, 500: 20" のように書きます
sql-invalid-name = { $name } は変数名にできません
sql-json-open = テンプレートの中の生成器が閉じられていません
sql-leave-out-schema = ファイルの中の名前からスキーマを外すか、接続先でスキーマ public を指定してください
sql-missing-argument = 引数が足りません
sql-name-alike = 複数の文に同じ名前を付けてください: -- tenbin: name=pay
sql-name-the-column = 列に英数字と _ の名前を付けてください: SELECT COUNT(*) AS n … \gset
sql-no-argument = 関数 { $name } には引数が 1 つ以上必要です
sql-no-pipeline = パイプラインが始まっていません
sql-no-script = スクリプトが指定されていません
sql-no-such-generator = 生成器 { $name } はありません。使えるもの: { $names }
sql-no-values = 選べる値がありません
sql-not-a-count = 行数でも生成器でもありません
sql-not-a-date = "2024-05-31" や "2024-05-31 12:30:00" のような日付ではありません
sql-not-json = テンプレートから作られる値が JSON になりません: { $row }
sql-not-one-row = { $script } の { $line } 行目: \gset には 1 行の結果が必要ですが、{ $rows } 行ありました
sql-nothing-to-store = \gset と \aset は、まだ結果を保存していない文の後に書きます
sql-null-needs-generator = null には割合と生成器を書きます: null(0.1, name)
sql-number-too-large = 数 { $text } は大きすぎます
sql-other-columns = { $script } の { $line } 行目: 結果の列数が、サーバーが事前に示した { $described } ではなく { $found } です
sql-permit-call = 呼び出しを取り除いてください。許可するには --allow write-unmarked、または対象に allow = ["write-unmarked"]
sql-permit-shell = このマシンであなたに許されているすべてをスクリプトに任せられるなら、負荷に shell = "on" を指定してください
sql-permit-writing = 書き込む文が見つからないため、セッションは読み取り専用です。許可するには --allow write-unmarked、または対象に allow = ["write-unmarked"]
sql-pipeline-in-pipeline = パイプラインはすでに始まっています
sql-pipeline-open-at-end = パイプラインを終えずにスクリプトが終わります
sql-quote-open = { $script } の { $line } 行目: { $quote } で始まる引用またはコメントが閉じられていません
sql-range-too-large = 範囲が大きすぎます
sql-ref-another = 別の列を指定してください
sql-ref-in-a-circle = テーブル { $table } の列 { $column } は { $reference } を参照し、そこから自分に戻ります
sql-ref-needs-column = ref にはテーブルと列を書きます: ref("account.id")
sql-ref-needs-rows = { $table } には size の代わりに rows を指定してください
sql-ref-to-nothing = テーブル { $table } の列 { $column } が参照する { $reference } は、プランにありません
sql-ref-to-size = テーブル { $table } は { $other } の値を参照しますが、{ $other } の size が何行で満たされるかは事前に分かりません
sql-say-type-or-text = 値はパラメーターとして送られました。型を書くか(:name::numeric)、この文を文字列として送ってください: 文の前に -- tenbin: text、または負荷に ps_mode = "disable"
sql-script-empty = 文がありません
sql-script-line = { $script } の { $line } 行目
sql-script-wrong = スクリプト { $script } は使えません: { $what }
sql-script-wrong-at-line = { $script } の { $line } 行目: { $what }
sql-send-as-text = 変数名を引用符の外に書くか、値を文字列として送ってください: 文の前に -- tenbin: text、または負荷に ps_mode = "disable"
sql-set-before = この行より前に、すべての分岐で値を与えてください: \set、\gset、またはオプション define
sql-shell-no-number = コマンド { $command } の出力が整数ではありません: { $printed }
sql-shell-not-permitted = { $script } の { $line } 行目: シェルのコマンドは許可されていません
sql-size-estimated = サーバーからテーブル { $table } の大きさを取得できません。一部の行の長さから見積もった { $rows } 行をロードしました
sql-size-not-reached = テーブル { $table } は { $rows } 行ロードしても、サーバーの示す大きさが size に達しません。ここで打ち切りました
sql-sleep-time = 時間が整数ではありません: { $text }
sql-sleep-unit = 単位は us、ms、s のいずれかです: { $text }
sql-slices-are-not-the-whole = { $all } 行のうち { $inserted } 行しか挿入されていません
sql-store-from-text = 文をテキストとして送ってください: 文の前に -- tenbin: text
sql-store-in-pipeline = \gset と \aset はパイプラインの中では使えません
sql-store-of-several = { $script } の { $line } 行目: \; でつないだ複数の文の結果は保存できません
sql-syntax = 式として正しくありません
sql-table-example = [datasets.bank.fill.account] のようなセクションに、rows = 1000、id = "serial"、owner = "name" などを書いてください
sql-table-in-the-way = { $script } のテーブル { $table } は、Tenbin の印がないままですでに存在します
sql-table-key-wrong = テーブル { $table } の { $key }: { $why }
sql-table-line-wrong = テーブルの行として正しくありません: { $line }
sql-table-not-created = { $script } はテーブル { $table } を作成しません
sql-table-nowhere = { $script } の { $line } 行目: テーブル { $table } は存在せず、データセットも作成しません
sql-table-rows-and-size = テーブル { $table }: 投入する量が rows と size の両方で指定されています
sql-table-without-rows = テーブル { $table }: 投入する量が rows でも size でも指定されていません。生成器を書いた rows と size は列になります
sql-too-many-arguments = コマンドの引数が多すぎます
sql-too-many-names = スクリプトには異なる名前の文が { $names } 個ありますが、数えられるのは { $most } 個までです
sql-too-many-parameters = 文の変数が { $most } 個を超えています
sql-transaction-left-open = { $script } の { $line } 行目: ここで始まるトランザクションが終わりません
sql-transaction-open-at-end = スクリプト { $script } が、トランザクションを終えずに終了しました
sql-unexpected-character = 文字 { $character } は式に使えません
sql-unknown-command = そのようなコマンドはありません
sql-unknown-function = 関数 { $name } はありません
sql-unknown-word-in-comment = Tenbin へのコメントに不明な語 { $name } があります
sql-use-command = 次のいずれかを使ってください: \set、\if、\elif、\else、\endif、\sleep、\gset、\aset、\startpipeline、\syncpipeline、\endpipeline、\shell、\setshell
sql-use-created = 作成されるのは次のとおりです: { $names }
sql-use-function = 次のいずれかを使ってください: abs、debug、double、exp、greatest、hash、hash_fnv1a、hash_murmur2、int、least、ln、mod、permute、pi、pow、power、random、random_exponential、random_gaussian、random_zipfian、sqrt
sql-use-other-schema = そのテーブルのないスキーマを接続先に指定してください
sql-value-too-long = { $length } は長すぎます。最大は { $most } です
sql-variable-in-quotes = { $script } の { $line } 行目: { $name } は引用符の中にあり、プリペアド文のパラメーターにできません
sql-variable-malformed = 変数 { $name } の内容は式の値になりません: { $text }
sql-variable-without-value = 変数 { $name } に値がありません
sql-weight-too-large = { $script } の重みが大きすぎます
sql-weight-wrong = { $script } の重みが整数ではありません: { $weight }
sql-weights-all-zero = 重みがすべて 0 です
sql-write-a-statement = SELECT 1; のような文を書いてください
sql-write-groups = グループはプランに書いてください: [[experiment.load.group]] に name、scripts、clients を指定します
sql-write-statements-apart = \; の代わりに ; で区切り、別々の文にしてください
sql-wrong-arguments = 関数 { $name } の引数の数が正しくありません
sql-wrong-value-in-comment = Tenbin へのコメントで、{ $name } を { $value } にはできません
sql-zipfian-parameter = ジップ分布のパラメーターは 1.001 から 1000 まででなければなりません
