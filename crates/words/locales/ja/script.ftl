# sysbench's Lua scripts.

any-number = 数値
bulk-insert-next-before-bulk-insert-init = bulk_insert_init() の前に bulk_insert_next() が呼ばれました
client-panicked-before = このクライアントは以前に異常終了しています
command-thread-panicked = コマンド { $command } のスレッドが異常終了しました。Tenbin の不具合です
correct-line = その行を修正してください
correct-script-line = スクリプトのその行を修正してください
counted-by-script = スクリプトが計上したエラー
driver-cannot-block = このドライバーは、スクリプトに必要な待機ができません
execute-own-run = tenbin sysbench { $script } run で実行してください。event() を計測するには、sysbench.cmdline.commands から run を除いてください
give-more-script-memory = スクリプトが保持するデータを減らすか、クライアントごとのメモリーを増やしてください: script_memory = "{ $memory }"
give-path-of-lua-file = Lua ファイルのパス、または `tenbin list` にあるワークロードの名前を指定してください
give-script-memory = 8M 以上のサイズを指定してください(例: 256M)。0 では 2G をクライアントに分配します
give-wanted = { $wanted }を指定してください
lua-api-unavailable = Lua API を準備できません
no-stack-for-client = スクリプトのクライアント用のスタックを確保できません: { $error }
panic = 異常終了しました。Tenbin の不具合です
remove-script-option = 削除してください。スクリプトはオプションを宣言していません
script-cannot-be-run = スクリプト { $script } を実行できません
script-cannot-be-used = スクリプト { $script } を使えません
script-closed-connection = スクリプトがこの接続を閉じました
script-function-says = スクリプトの { $function }: { $message }{ $place }
script-has-no-command = スクリプト { $script } にコマンド { $command } はありません
script-hook-failed = スクリプトの sysbench.hooks.{ $hook } が失敗しました
script-memory-cannot-be = script_memory に { $value } は指定できません
script-not-found = スクリプト { $script } がありません
script-option-cannot-be = スクリプト { $script }: { $option } に { $value } は指定できません
script-option-unknown = スクリプト { $script } にオプション { $option } はありません
script-refuses-option = スクリプト { $script } は { $option } = { $value } を受け付けません
script-replaces-run = スクリプト { $script } には独自の run コマンドがあります。一度だけ実行されるもので、クライアントの負荷ではありません
script-says-it-failed = スクリプトの { $function } が失敗を返しました(戻り値 false)
script-typographic-quotes = { $line } 行目に { $quote } があります。ウェブページが表示する引用符で、Lua が読めるのは " と ' だけです
script-unreadable-from-stdin = 標準入力からスクリプトを読めません
script-without-event = { $script } に event() 関数がありません
scripts-function = スクリプトの { $function } の実行
size-with-letter = 512K や 1G のような大きさ
statement-sent = 文: { $statement }
static-build-has-no-symbol = { $name } は使えません。この Tenbin は静的リンクで、スクリプトから使えるのは sysbench の関数と C ライブラリの一般的な関数だけです。ほかのライブラリが必要なら glibc 版を使ってください
stopped = 停止しました
take-out-delay = 接続先から delay を外してください
the-scripts-random-numbers = スクリプトの乱数
write-event-function = function event() … end を書いてください。各クライアントが繰り返し実行する関数です
write-or-remove-it = { $right } と書くか、削除してください
