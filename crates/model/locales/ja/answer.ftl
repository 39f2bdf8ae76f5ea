# The answer of a run, its conditions and its verdict.

answer-alike = { $a } と { $b } に { $within } を超える差はありません。{ $statement }です(95% 信頼区間 { $interval }、{ $pairs } 組)。
answer-all-invalid = { $n ->
    [1] 結果はありません。試行は無効(INVALID)です。理由: { $why }。
   *[other] 結果はありません。{ $n } 試行のすべてが無効(INVALID)です。最初の試行の理由: { $why }。
  }
answer-alone = { $target } は{ $at }{ $done }を処理しました({ $p99 })。{ $still }
answer-alone-at = 、{ $cell }のとき
answer-alone-still = ただし、{ $seconds } 秒の間は完了が 1 件もなく、p99 にはほとんど表れていません。
answer-beside-unclear = 応答時間の { $percentile } の優劣は判断できません(比の 95% 信頼区間 { $interval })。
answer-cells = { $parts }(条件全体での 95% 信頼区間による判定、{ $pairs } 組)。
answer-chance = 繰り返しが 1 回のため、偶然の差かどうかは判断できません
answer-interval = 95% 信頼区間 { $interval }、{ $pairs } 組
answer-interval-alone = 95% 信頼区間 { $interval }
answer-left-out = { $n ->
    [1] { $begun } 試行のうち 1 試行は無効(INVALID)で、上の数値に含まれません。理由: { $why }。
   *[other] { $begun } 試行のうち { $n } 試行は無効(INVALID)で、上の数値に含まれません。最初の試行の理由: { $why }。
  }
answer-more-repeats = 信頼区間を ±5% に狭めるには、繰り返しがあと { $n } 回ほど必要です。
answer-more-targets = 、ほかに中間の { $n } 対象
answer-nothing = 計測値がありません。
answer-nothing-because = 計測値がありません。原因: { $why }
answer-of-experiment = { $experiment }: { $answer }
answer-ratio = { $statement }です({ $sure })。
answer-ratio-alone = { $statement }です。
answer-replica = { $sentence }。
answer-several = { $base } と比べた{ $what }: { $parts }{ $more }({ $n ->
    [1] 95% 信頼区間
   *[other] { $n } 個の比較全体での 95% 信頼区間
  })。
answer-several-by-chance = { $base } と比べた{ $what }: { $parts }{ $more }(繰り返しが 1 回のため、偶然の差かどうかは判断できません)。
answer-times-not-compared = 応答時間は比較しません。指定レートを維持できないと、計測時間が長いほど応答時間が延びるためです。
answer-too-many-repeats = 信頼区間を ±5% に狭めるには 100 回を超える追加の繰り返しが必要です。まず、繰り返しごとの値がこれほどばらつく原因を調べてください。
answer-try-out = これは、データと時間に { $scale } を掛けて縮小した、プランの試し実行です。プランが動くことを示すもので、対象の速さを示すものではありません。
answer-unclear = 今回の試行では { $a } と { $b } の優劣を判断できません。{ $statement }ですが、95% 信頼区間は { $interval }に及びます({ $pairs } 組)。{ $more }
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
beside-base = { $b } は { $ratio }({ $interval })
beside-base-alike = { $b } との差は { $within } 以内
beside-base-alone = { $b } は { $ratio }
beside-base-by-cell = { $b } は条件によって異なり { $ratio }
beside-base-unclear = { $b } との優劣は判断できない({ $interval })
between-claims = 。
between-sentences = { "" }
between-values = ・
cell-clients = { $value } クライアント
cell-dataset = データセット { $value }
cell-rate = 毎秒 { $value } 件
cell-table-size = テーブルあたり { $value } 行
cell-tables = { $value } テーブル
cell-warehouses = { $value } 倉庫
cells-all = { $n } 条件のすべてで、{ $statement }です
cells-many-not-told-apart = { $n } 条件では優劣を判断できません
cells-none-told-apart = 比は条件によって異なりますが({ $ratio })、{ $a } と { $b } の優劣を判断できる条件はありません
cells-not-told-apart = { $cells }では優劣を判断できません
cells-one = { $statement }です
cells-some = { $all } 条件のうち { $n } 条件で、{ $statement }です
closed-loop = クローズドループ
comma = 、
condition-buffer-pool = バッファープール { $size }
condition-clients = { $numbers } クライアント
condition-link = { $target } は模擬回線({ $link })の先
condition-measured = 計測 { $long } × { $n } 回
condition-one-machine = クライアントとサーバーは同一マシン
condition-open-loop = 毎秒 { $rate } 件を指定({ $arrivals })
condition-profile = { $workload }(プロファイル { $profile })
condition-rows = { $n } 行
condition-rows-size = { $n } 行(約 { $size })
condition-scaled = 試し実行(縮小率 { $scale })
condition-shared-buffers = 共有バッファー { $size }
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
rate-held = { $targets } は指定レート(毎秒 { $asked } 件)を維持しました。
rate-not-held = { $target } は指定レートを維持できませんでした。毎秒 { $asked } 件の指定に対し、完了は{ $failed ->
    [1] { "" }
   *[other] { "" }、{ $failed } 試行のうち最も悪い試行で
  }毎秒 { $done } 件です。
ratio-at-cell = { $n } 倍({ $cell })
ratio-beside = 応答時間の { $percentile } は { $ratio }
ratio-interval = { $low }〜{ $high } 倍
ratio-of-mean = { $b } の平均応答時間は { $a } の { $ratio }
ratio-of-new-orders = { $b } の毎分新規注文数は { $a } の { $ratio }
ratio-of-percentile = { $b } の応答時間の { $percentile } は { $a } の { $ratio }
ratio-of-seconds = { $b } の所要時間は { $a } の { $ratio }
ratio-of-transactions = { $b } の毎秒トランザクション数は { $a } の { $ratio }
ratio-times = { $n } 倍
replica-catches-up = レプリカ { $replica } の遅延は毎秒 { $rate } 秒ずつ減っています。負荷の終了時の遅延は { $end } 秒です
replica-caught-up = { $during }。負荷の終了から { $after } 秒後に追いつきました
replica-falls-behind = レプリカ { $replica } の遅延は毎秒 { $rate } 秒ずつ増えています。負荷の終了時の遅延は { $end } 秒です
replica-in-trial = 試行 { $trial }: { $sentence }
replica-keeps-up = レプリカ { $replica } は追従しています。遅延は最大 { $max } 秒です
replica-not-caught-up = { $during }。負荷の終了から { $after } 秒後にはまだ追いついていませんでした
replica-trend-unknown = レプリカ { $replica } の遅延は最大 { $max } 秒でした。測定値が少ないため、追従しているかどうかは判断できません
semicolon = 、
span-hours-minutes = { $h } 時間 { $min } 分
span-minutes = { $min } 分
span-minutes-seconds = { $min } 分 { $s } 秒
trials-counted = { $n } 試行
unit-new-orders-per-minute = 毎分新規注文数
unit-response-time = 応答時間の { $percentile }
unit-seconds-needed = 所要時間
unit-transactions-per-second = 毎秒トランザクション数
verdict-degraded = 要注意
verdict-invalid = 無効
verdict-valid = 有効
