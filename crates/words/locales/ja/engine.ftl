# Driving clients.

all-clients-lost-their-connections = すべてのクライアントが接続を失い、再接続しない設定のため終了しました
ask-for-a-lower-rate = レートを下げる、クライアントを増やす、または overload = "queue"(bench: --overload queue)を指定してください
client-panicked = クライアント { $number } が異常終了しました。ワークロードまたは Tenbin の不具合です
client-panicked-because = クライアント { $number } が異常終了しました: { $said }
clients-came-to-their-end = { $clients } クライアントのうち { $ended } が最後まで実行しました
clients-could-not-keep-up = クライアントが指定レートに追いつけず、その場合に停止する設定のため終了しました
clients-keep-own-pace = { $workload } のクライアントは自身の間隔で処理を進めるため、レートを指定できません
clients-lost-their-connections-before = 担当分を終える前にクライアントが接続を失い、再接続しない設定のため終了しました
clients-panicked-when-made = ワークロード { $workload } のクライアントを作成できませんでした(異常終了)
clients-were-connected = { $clients } クライアントのうち { $connected } が接続済みでした
connecting-clients = クライアントの接続
count-errors-and-go-on = エラーを数えて続行するには on_error = "count"(bench: --on-error count)を指定してください
drive-needs-a-client = 少なくとも 1 クライアントが必要です
end-of-client = クライアント { $number } の終了処理
end-of-clients = 終了処理に失敗したクライアントは { $n } 個{ $unwritten ->
    [0] { "" }
   *[other] 。完了と数えたトランザクションのうち { $unwritten } 件の行は書き込まれていません
  }
end-of-some-clients = クライアントの終了処理
event-loop-failed = イベントループを作成できませんでした: { $error }
give-an-interval = 1 ms 以上の間隔を指定してください
give-rate-up-to = 0 より大きく毎秒 { $highest } 件以下のレートを指定してください
interval-of-zero = 報告間隔を 0 ms にはできません
last-statement-without-answer = 最後の文への応答が { $seconds } 秒以内にありませんでした
look-what-it-is-busy-with = サーバーが何を処理しているかを SHOW PROCESSLIST または pg_stat_activity で確認してください
mappings-wanted = スレッド { $threads } に各 { $each } とその他 { $others } で計 { $wanted }。vm.max_map_count は { $allowed }
not-enough-mappings = { $threads } スレッドに必要なメモリーマッピング数が、このプロセスの上限を超えます
not-enough-open-files = { $clients } クライアントに必要なオープンファイル数が、このプロセスの上限を超えます
open-files-wanted = 接続 { $clients } とその他 { $others } で計 { $wanted }。上限は { $allowed }
raise-max-map-count = root で sysctl -w vm.max_map_count={ $wanted } とするか、クライアントを減らしてください
raise-processes = プロセス数の上限(ulimit -u)を上げるか、load.workers に小さい値を指定してください
raise-ulimit-or-fewer-clients = { $allowed ->
    [0] root で ulimit -Hn { $wanted } としてください
   *[other] root で ulimit -Hn { $wanted } とするか、クライアントを { $allowed } 以下にしてください
  }
rate-cannot-be-kept = 毎秒 { $rate } 件のレートは維持できません
remove-rate-or-let-clients = レートを外すか、クライアントを休止なしで動かしてください
see-why-connections-close = 切断の理由をサーバーのログで確認するか、on_lost = "reconnect"(bench: --on-lost reconnect)を指定してください
sessions-not-begun = { $seconds } 秒以内にクライアントのセッションを開始できませんでした
set-max-connections-or-fewer = SET GLOBAL max_connections = { $enough } を実行するか、クライアントを減らしてください
starts-were-waiting = { $clients } クライアントの空きを { $waiting } 件が待っていました
statement-of-client = クライアント { $number } の文 { $name }
stopped-at-once-by-user = ユーザーが即時停止しました
stopped-by-user = ユーザーが停止しました
stopped-in-last-transactions = 最後のトランザクションの実行中にユーザーが停止しました
stopped-while-connecting = クライアントの接続中にユーザーが停止しました
too-few-threads = { $workers } スレッドのうち { $started } しか起動できませんでした
transaction-of-client = クライアント { $number } のトランザクション
window-could-begin = 報告間隔 { $index } から始める指定でしたが、早くても報告間隔 { $first } からしか始められませんでした
window-named-too-late = 計測区間の開始の指定が間に合いませんでした
worker-panicked = ワーカー { $number } が異常終了しました。Tenbin の不具合です
