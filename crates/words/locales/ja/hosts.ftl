# 一つのクライアントとして働く複数の負荷ホスト。

about-load-hosts = 対象ごとに全試行をまとめた値です。マシンの番号が同じ負荷ホストは、同じマシンで動作しています。割合は、計測区間で完了した全トランザクションに対するものです。TPS はそのホストの全クライアントの値、p99 はそのホスト自身のトランザクション(TPC-C では新規注文)の値です。CPU はプロセスが使った時間で、かっこ内は使えるコア数です。開始の遅れは、クライアントが共通の開始時刻に遅れた時間です。時計のずれは表の誤差の範囲で分かっており、ドリフトは参加後にずれが変化した量です。– は、失ったホストから報告されなかったことを示します。
checked-by-run = 対象 { $target } は、実行時に起動する専用サーバーです
clients-kept-together = ウェアハウスの端末のように、ワークロードがまとめて扱うクライアントは 1 台のホストに割り当てるため、クライアントのあるホストは { $groups } 台です
clock-error-seen = 誤差は { $micros } µs 以内
clock-is-followed = 時計の差を把握できます
clock-is-not-followed = 同時に開始できるほど正確には、時計の差を把握できません
clock-stepped-by = 少なくとも { $ms } ms
column-clients = クライアント
column-clock-drift = 時計のドリフト (µs)
column-clock-error = 時計の誤差 (± µs)
column-cpu-of-cores = CPU(コア)
column-load-host = 負荷ホスト
column-lost = 喪失
column-machine = マシン
column-share-of-throughput = スループットの割合
column-start-late = 開始の遅れ (ms)
column-threads = スレッド
condition-clients-of-hosts = { $clients }(負荷ホスト { $numbers } 台)
condition-clients-of-local-hosts = { $clients }(1 台のマシン上の負荷ホスト { $numbers } 個)
connections-kept-on-hosts = pool = { $pool }: 各ホストのターミナルにはテーブルのセットごとに 1 本以上の接続が要りますが、接続のないホストができます
coordinator-closed-connection = プランを実行しているプロセスが接続を閉じました
coordinator-orders-missing = プランを実行しているプロセスの指示の一部が届かなかったため、負荷を停止しました
coordinator-sends-too-much = 標準入力に、プランを実行するプロセスが送る量を超えるデータ、または別の内容があります
coordinator-silent = プランを実行しているプロセスから応答がないため、負荷を停止しました
distance-seen = 何もしない文に { $statement } µs、接続に { $connect } µs
give-address-for-hosts = すべての負荷ホストから同じアドレスで接続できるサーバーを使うか、このマシンの負荷ホスト (at = "local") を使ってください
give-fewer-hosts = 負荷ホストを減らすか、クライアントを増やしてください
give-hosts = at = ["bench@load-1", "bench@load-2"]、または at = "local" と count = 2
give-hosts-count = count = 2
give-hosts-option = --hosts で指定してください
give-more-connections = pool を増やすか、負荷ホストを減らしてください
give-ray-head = at = "ray://head:6379"
give-ray-token = クラスターのトークンを Ray に渡してください: RAY_AUTH_MODE=token と、RAY_AUTH_TOKEN または ~/.ray/auth_token
host-and-share = { $host } { $share }%
host-by-number = 負荷ホスト { $number }
host-clock-stepped = 負荷ホスト { $host } の時計が不連続に変わりました
host-connection-closed = 接続が切断されました
host-did-not-join = { $seconds } 秒以内に応答がありませんでした
host-did-not-join-first = 参加する前に試行について報告しました
host-does-not-connect = 応答はありますが、{ $seconds } 秒以内にクライアントの接続完了が報告されませんでした
host-does-not-end = { $seconds } 秒以内に試行の終了が報告されませんでした
host-does-not-load = { $minutes } 分間、新しい行の報告がありませんでした
host-does-not-stop = { $seconds } 秒以内にロードを止めませんでした
host-ends-with-another-interval = 負荷ホスト { $host } への終了の通知が間に合いませんでした。その後の処理は結果に含めません
host-has-our-version = バージョン { $version }(このマシンと同じ)
host-has-version = ホスト側のバージョンは { $version }、こちらは { $ours } です
host-is-usable = 負荷ホスト { $host }
host-lost = 負荷ホスト { $host } を失いました
host-measures-from-another-interval = 他のホストと同じ報告間隔から計測を始めなかった負荷ホストがあります
host-not-started = 負荷ホスト { $host } を起動できませんでした: { $program }
host-notes-left-out = 負荷ホスト { $host } の注記が { $most } 件を超えたため、残りは省略しました
host-of-another-version = 負荷ホスト { $host } の Tenbin のバージョンが異なります
host-order-not-understood = 負荷ホストがコーディネーターの指示を解釈できません
host-report-not-understood = 解釈できない報告がありました: { $line }
host-reports-missing = 報告が { $reports } 件届きませんでした
host-sends-too-much = 負荷ホストが送るはずの量を超えるデータを送ってきました
host-silent-for = { $seconds } 秒間、応答がありません
host-told-to-stop-before-start = コーディネーターが開始前に試行を停止しました
host-without-clients = { $host } に割り当てるクライアントがありません
hosts-cannot-reach-target = 対象 { $target } はこのマシンにあり、そのアドレスは負荷ホスト { $host } では別のサーバーを指します
hosts-left-out = ここに載せていない負荷ホストの数(JSON には全部あります):
hosts-local-among-others = 負荷ホストは、このマシンのプロセス、1 つの Ray クラスターのノード、ssh で接続するマシンのいずれか 1 種類です
hosts-no-destination = 負荷ホストの指定が ssh の接続先ではありません
hosts-no-ray-head = Ray クラスターのアドレスは ray:// にヘッドノードのホスト名を続け、ポートが 6379 でなければそれも付けます
hosts-of-embedded = { $target } は負荷をかけるプロセスの中で動作するため、複数の負荷ホストから負荷をかけられません
hosts-share-each = それぞれスループットの { $least }〜{ $most }%
hosts-shown = { $n }: { $shown }
hosts-shown-lost = { $n }: { $shown }。失われたホスト: { $lost }
hosts-without-clients = { $workload } のクライアント { $clients } 個を負荷ホスト { $hosts } 台には分けられません
hosts-without-connections = { $workload } のクライアントが共有する接続を負荷ホスト { $hosts } 台には分けられません
hosts-without-count = [hosts] に負荷ホストの数がありません
hosts-without-plan = プランに負荷ホストの指定がありません
install-tenbin-ray = このマシンにパッケージ tenbin-ray をインストールしてください: Tenbin のソースで pip install ./python(Ray と同じ Python を使うこと)
join-ray-cluster = 各マシンをクラスターに参加させてください(このマシンは --num-cpus=0): ray start --address={ $head }
label-hosts = ホスト
load-host-is-started = 負荷ホストはプランを実行するプロセスが起動します: tenbin run PLAN --hosts HOST,…
look-at-the-host = そのホストとネットワークを確認し、プランをもう一度実行してください
more-hosts-than-clients = クライアント { $clients } 個を負荷ホスト { $hosts } 台には分けられません
more-hosts-than-destinations = 負荷ホストを { $count } 台求めていますが、指定されているのは { $there } 台です
on-host = 負荷ホスト { $host } で発生
open-files-are-enough = 開けるファイルの数は足りています
open-files-are-too-few = 開けるファイルの数が足りません
open-files-seen = クライアント { $clients } に対し、上限は { $allowed }
own-program-unknown = このプログラムのファイルが見つからないため、負荷ホストを起動できません
password-not-for-ray = 対象 { $target } のパスワードがプランに書かれていますが、Ray の通信は秘匿されないため負荷ホストへ送れません
password-on-hosts = 各負荷ホストで読み取れるようにしてください: password_env = "NAME"(ray start の前に設定)、または password_file = "PATH"
ports-are-enough = ポートは足りています
ports-are-too-few = ポートが足りません
ports-seen = クライアント { $clients } に対し { $there } 個
raise-hard-limit-of-files = プログラムを起動する前に、root で ulimit -Hn { $wanted }
ray-has-nodes = { $there ->
    [0] CPU を持つノードがクラスターにありません
   *[other] CPU を持つノードは { $there } 台です: { $names }
  }
ray-has-too-few-nodes = 負荷ホスト { $hosts } 台が指定されましたが、{ $head } の Ray クラスターのノードが足りません
ray-hosts-not-placed = Ray が負荷ホストを配置できませんでした。ヘッドノードは { $head } です
ray-nodes-busy = { $seconds } 秒以内にノードを確保できませんでした: { $evidence }
ray-token-refused = トークンがないか、正しくありません
readings-of-hosts = 負荷ホストの観測値
readings-of-hosts-left-out = ここに載せていない負荷ホストの条件の数:
remove-hosts-or-target = [hosts] を削除するか、サーバーを対象にしてください
same-version-on-hosts = すべての負荷ホストに同じバージョンの Tenbin をインストールしてください
script-of-hosts-unreadable = ファイル { $file } を負荷ホストへ送れません
section-load-hosts = 負荷ホスト
see-ray-status = クラスターの使用状況を確認してください: ray status
server-unusable-from-host = この負荷ホストから対象 { $target } を使用できません
server-usable-from-host = 対象 { $target } を使用できます
start-ray-head = そのマシンで Ray を起動してください: RAY_AUTH_MODE=token ray start --head --port=6379
stop-what-runs-there = そのホストや経路上で動いているほかの処理を止めてください
stopped-while-hosts-joined = 負荷ホストの参加を待つ間にユーザーが停止しました
trial-and-why = 試行 { $trial }: { $why }
widen-port-range = sysctl -w net.ipv4.ip_local_port_range='1024 65535'
