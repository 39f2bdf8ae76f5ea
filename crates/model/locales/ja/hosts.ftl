# 一つのクライアントとして働く複数の負荷ホスト。

coordinator-closed-connection = プランを実行しているプロセスが接続を閉じました
coordinator-silent = プランを実行しているプロセスから応答がないため、負荷を停止しました
give-address-for-hosts = すべての負荷ホストから同じアドレスで接続できるサーバーを使うか、このマシンの負荷ホスト (at = "local") を使ってください
give-fewer-hosts = 負荷ホストを減らすか、クライアントを増やしてください
give-hosts = at = ["bench@load-1", "bench@load-2"]、または at = "local" と count = 2
give-hosts-count = count = 2
give-warmup-for-hosts = 時間を指定してください: warmup = "60s"
host-connection-closed = 接続が切断されました
host-did-not-join = { $seconds } 秒以内に応答がありませんでした
host-does-not-end = { $seconds } 秒以内に試行の終了が報告されませんでした
host-has-version = ホスト側のバージョンは { $version }、こちらは { $ours } です
host-lost = 負荷ホスト { $host } を失いました
host-not-started = 負荷ホスト { $host } を起動できませんでした: { $program }
host-of-another-version = 負荷ホスト { $host } の Tenbin のバージョンが異なります
host-order-not-understood = 負荷ホストがコーディネーターの指示を解釈できません
host-report-not-understood = 解釈できない報告がありました: { $line }
host-silent-for = { $seconds } 秒間、応答がありません
host-told-to-stop-before-start = コーディネーターが開始前に試行を停止しました
host-without-clients = { $host } に割り当てるクライアントがありません
hosts-cannot-reach-target = ターゲット { $target } はこのマシンにあり、そのアドレスは負荷ホスト { $host } では別のサーバーを指します
hosts-local-among-others = 負荷ホストは、このマシンのプロセスか、ssh で接続するマシンのどちらか一方です
hosts-no-destination = 負荷ホストの指定が ssh の接続先ではありません
hosts-of-embedded = { $target } は負荷を掛けるプロセスの中で動作するため、複数の負荷ホストからは駆動できません
hosts-with-auto-warmup = 実験 { $experiment } のウォームアップの終わりを複数の負荷ホストで判定することには、まだ対応していません
hosts-without-count = [hosts] に負荷ホストの数がありません
look-at-the-host = そのホストとネットワークを確認し、プランをもう一度実行してください
more-hosts-than-clients = クライアント { $clients } 個を負荷ホスト { $hosts } 台には分けられません
more-hosts-than-destinations = 負荷ホストを { $count } 台求めていますが、指定されているのは { $there } 台です
on-host = 負荷ホスト { $host } で発生
own-program-unknown = このプログラムのファイルが見つからないため、負荷ホストを起動できません
remove-hosts-or-target = [hosts] を削除するか、サーバーであるターゲットを使ってください
same-version-on-hosts = すべての負荷ホストに同じバージョンの Tenbin をインストールしてください
stopped-while-hosts-joined = 負荷ホストの参加を待つ間にユーザーが停止しました
