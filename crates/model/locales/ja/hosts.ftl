# 一つのクライアントとして働く複数の負荷ホスト。

give-fewer-hosts = 負荷ホストを減らすか、クライアントを増やしてください
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
look-at-the-host = そのホストとネットワークを確認し、プランをもう一度実行してください
more-hosts-than-clients = クライアント { $clients } 個を負荷ホスト { $hosts } 台には分けられません
on-host = 負荷ホスト { $host } で発生
same-version-on-hosts = すべての負荷ホストに同じバージョンの Tenbin をインストールしてください
stopped-while-hosts-joined = 負荷ホストの参加を待つ間にユーザーが停止しました
