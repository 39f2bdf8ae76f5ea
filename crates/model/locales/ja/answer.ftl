# The answer of a run, its conditions and its verdict.

answer-alike = { $targets ->
    [2] { "" }
   *[other] { $targets } 対象のうち上位 2 つの比較です。
  }{ $a } と { $b } に { $within } を超える差はありません。{ $b } の{ $unit }は { $a } の { $ratio } 倍です(95% 信頼区間 { $interval }、{ $pairs } 組)。
answer-all-invalid = { $n ->
    [1] 結果はありません。試行は無効(INVALID)です。理由: { $why }。
   *[other] 結果はありません。{ $n } 試行のすべてが無効(INVALID)です。最初の試行の理由: { $why }。
  }
answer-alone = { $target } は{ $at }{ $done }を処理しました({ $p99 })。{ $still }
answer-alone-at = 、{ $cell }のとき
answer-alone-still = ただし、{ $seconds } 秒の間は完了が 1 件もなく、p99 にはほとんど表れていません。
answer-chance = 繰り返しが 1 回のため、偶然の差かどうかは判断できません
answer-faster = { $targets ->
    [2] { "" }
   *[other] { $targets } 対象のうち上位 2 つの比較です。
  }{ $b } の{ $unit }は { $a } の { $ratio } 倍です({ $sure })。{ $range }
answer-interval = 95% 信頼区間 { $interval }、{ $pairs } 組
answer-left-out = { $n ->
    [1] { $begun } 試行のうち 1 試行は無効(INVALID)で、上の数値に含まれません。理由: { $why }。
   *[other] { $begun } 試行のうち { $n } 試行は無効(INVALID)で、上の数値に含まれません。最初の試行の理由: { $why }。
  }
answer-more-repeats = 信頼区間を ±5% に狭めるには、繰り返しがあと { $n } 回ほど必要です。
answer-nothing = 計測値がありません。
answer-nothing-because = 計測値がありません。原因: { $why }
answer-of-experiment = { $experiment }: { $answer }
answer-range = 条件別では、{ $low } 倍({ $low_cell })から { $high } 倍({ $high_cell })です。
answer-too-many-repeats = 信頼区間を ±5% に狭めるには 100 回を超える追加の繰り返しが必要です。まず、繰り返しごとの値がこれほどばらつく原因を調べてください。
answer-try-out = これは、データと時間に { $scale } を掛けて縮小した、プランの試し実行です。プランが動くことを示すもので、対象の速さを示すものではありません。
answer-unclear = { $targets ->
    [2] { "" }
   *[other] { $targets } 対象のうち上位 2 つの比較です。
  }今回の試行では { $a } と { $b } の優劣を判断できません。{ $b } の{ $unit }は { $a } の { $ratio } 倍ですが、95% 信頼区間は { $interval }に及びます({ $pairs } 組)。{ $more }
answer-without-result = { $targets } の結果はありません。
arrivals-even = 等間隔
axis-clients = クライアント数
axis-dataset = データセット
axis-experiment = 実験
axis-rate = 指定レート(件/秒)
axis-table-size = テーブルあたりの行数
axis-tables = テーブル数
axis-warehouses = 倉庫数
axis-workload = ワークロード
between-sentences = { "" }
between-values = ・
cell-clients = { $value } クライアント
cell-dataset = データセット { $value }
cell-rate = 毎秒 { $value } 件
cell-table-size = テーブルあたり { $value } 行
cell-tables = { $value } テーブル
cell-warehouses = { $value } 倉庫
closed-loop = クローズドループ
comma = 、
condition-clients = { $numbers } クライアント
condition-link = { $target } は模擬回線({ $link })の先
condition-measured = 計測 { $long } × { $n } 回
condition-one-machine = クライアントとサーバーは同一マシン
condition-open-loop = 毎秒 { $rate } 件を指定({ $arrivals })
condition-profile = { $workload }(プロファイル { $profile })
condition-rows = { $n } 行
condition-scaled = 試し実行(縮小率 { $scale })
done-new-orders = 毎分 { $n } 件の新規注文
done-transactions = 毎秒 { $n } トランザクション
doubt-with-evidence = { $what }({ $seen })
durability-differs = 対象間で耐久性の設定が異なります({ $names })。その違い自体を調べる目的でなければ、同条件での速度比較にはなりません。
footnote-standstill = ‡: 最長 { $seconds } 秒の間、完了したトランザクションがありません。パーセンタイルにはほとんど表れません。
from-to = { $from }〜{ $to }
label-evidence = 根拠
label-hint = 対処
link-of-delay = 片道 { $delay } ミリ秒
link-of-rate-and-delay = { $rate }、片道 { $delay } ミリ秒
network-path-carried = 受信 { $received } Mbit/s(最大 { $received_max })、送信 { $sent } Mbit/s(最大 { $sent_max })、TCP セグメントの { $share } % を再送しました
network-path-carried-no-tcp = 受信 { $received } Mbit/s(最大 { $received_max })、送信 { $sent } Mbit/s(最大 { $sent_max })
p99-of-new-orders = 新規注文の応答時間の p99 は { $time }
p99-of-transactions = 応答時間の p99 は { $time }
percent = { $n }%
promise-crash = 電源断で直近のコミットが失われることがある
promise-crash-damage = サーバーの異常終了でもデータベースが壊れることがある
promise-damage = 電源断でデータベースが壊れることがある
promise-emptied = サーバーが異常終了するとテーブルは空になる
promise-neither = サーバーの異常終了でも直近のコミットが失われることがある
promise-no-transactions = テーブルがトランザクションに対応していない(ロールバックされず、異常終了で行が失われたり壊れたりすることがある)
promise-not-known = 不明(サーバー自身の文書で確認が必要)
promise-power-failure = コミットは電源断でも失われない
ratio-interval = { $low }〜{ $high } 倍
replica-catches-up = レプリカ { $replica } の遅延は毎秒 { $rate } 秒ずつ減っています。負荷の終了時の遅延は { $end } 秒です
replica-caught-up = { $during }。負荷の終了から { $after } 秒後に追いつきました
replica-falls-behind = レプリカ { $replica } の遅延は毎秒 { $rate } 秒ずつ増えています。負荷の終了時の遅延は { $end } 秒です
replica-in-trial = 試行 { $trial }: { $sentence }
replica-keeps-up = レプリカ { $replica } は追従しています。遅延は最大 { $max } 秒です
replica-not-caught-up = { $during }。負荷の終了から { $after } 秒後にはまだ追いついていませんでした
replica-trend-unknown = レプリカ { $replica } の遅延は最大 { $max } 秒でした。測定値が少ないため、追従しているかどうかは判断できません
semicolon = 、
session-admission = スレッドプールの待ち行列
session-client = クライアント・ネットワーク待ち
session-commit = コミット
session-executing = 実行中
session-latch = ラッチ待ち
session-other = その他の待ち
session-read = データの読み込み
session-requested-wait = 文が求めた待ち(スリープ、ユーザーロック)
session-row-lock = 行ロック待ち
session-running = 実行中(待ちなし)
session-table-lock = テーブルロック・メタデータロック待ち
session-write = データの書き込み
sessions-active = アクティブなセッションは平均 { $n }(サンプル数 { $samples }): { $classes }
sessions-at-the-ends = load.observe が "ends" なので、計測区間にサーバーのセッションをサンプリングしていません
sessions-none-active = アクティブなセッションはありません(サンプル数 { $samples })
sessions-not-sampled = 計測区間にサーバーのセッションをサンプリングできませんでした。試行の注記を見てください
sessions-share = { $class } { $share } %
sessions-with-gap = { $seen }。最長 { $seconds } 秒間、サンプルがありません
span-hours-minutes = { $h } 時間 { $min } 分
span-minutes = { $min } 分
span-minutes-seconds = { $min } 分 { $s } 秒
trials-counted = { $n } 試行
unit-new-orders-per-minute = 毎分新規注文数
unit-transactions-per-second = 毎秒トランザクション数
verdict-degraded = 要注意
verdict-invalid = 無効
verdict-valid = 有効
