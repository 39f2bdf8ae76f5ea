# Whether the files of a run are as they were written, and bundles.

and-more-files = ほか { $n } 個
bundle-cannot-be-read = バンドル { $bundle } を読めません
bundle-cannot-be-written = バンドル { $file } に書き込めません
bundle-cut-off = 途中で切れています。末尾がありません
bundle-elsewhere = 別のファイルを指定してください: tenbin bundle { $run } another/file.tar.zst
bundle-file-twice = { $path } が 2 回含まれています
bundle-has-links = 含まれている { $path } はリンクまたはデバイスです。実行にそのようなものはありません
bundle-has-no-run = 実行が含まれていません。events.jsonl も run.json もありません
bundle-has-several = ディレクトリが { $n } 個あります。バンドルに含まれる実行は 1 つです
bundle-how-made = 実行ディレクトリから作り直してもらってください: tenbin bundle RUN
bundle-is-none = zstd で圧縮されたアーカイブではないか、破損しています: { $why }
bundle-is-one-already = { $bundle } はすでにバンドルです
bundle-is-only-read = { $bundle } はバンドルなので、書き込みません
bundle-left-out = { $n ->
    [1] 1 個のファイルは実行のものではないため、バンドルに含めていません: { $names }
   *[other] { $n } 個のファイルは実行のものではないため、バンドルに含めていません: { $names }
  }
bundle-path-leads-out = 含まれているパス { $path } は実行のものではありません
bundle-too-large = 展開すると { $most } を超えます。この大きさに圧縮された実行ではありえません
bundle-too-many-files = ファイルが { $most } 個を超えています
bundle-unpack = 展開して、そのディレクトリを指定してください: tar --zstd -xf { $bundle }
file-added = 追加されています
file-altered = 変更されています
file-end-missing = 末尾がありません。残っている { $lines } 行は書き込まれたままです
file-free = いつでも変更できます
file-ignored = 実行のファイルではないため、読みません
file-is = { $file }: { $state }
file-is-there = 同じ名前のファイルがすでにあります
file-lines-altered = { $n ->
    [1] { $lines } 行目が書き込まれたものと異なります
   *[other] { $n } 行が書き込まれたものと異なります: { $lines }
  }
file-missing = ありません
file-spared = ありませんが、影響はありません
file-unchanged = 変更なし
file-unfinished = 書き込まれたところまで変更なし({ $lines } 行)
file-without-digest = ダイジェストはまだありません
look-at-altered = ファイルごとの状態と、信頼できる範囲を確認してください: tenbin verify { $run }
record-altered = 実行のファイルが、書き込まれたときと異なります
record-is-altered = この実行のファイルは、書き込まれたときと異なります:
record-unchanged = この実行のファイルのダイジェスト。ファイルは書き込まれたままです(SHA-256。tenbin verify で照合できます):
record-unfinished = この実行のファイルは、書き込まれたところまで変更されていません。終わりがないため、ダイジェストはありません:
record-without-digest = この実行は、ダイジェストを書き込まないバージョンで記録されました。ファイルが書き込まれたままかどうかは分かりません。
verify-all-trials = すべての試行の数値は使えません
verify-altered = { $run }: 変更あり(ALTERED)、{ $n } 個中 { $altered } 個のファイル
verify-trials = 次の試行の数値は使えません: { $numbers }
verify-unchanged = { $run }: 変更なし、{ $n } 個のファイル
verify-unfinished = { $run }: 書き込まれたところまで変更なし、{ $n } 個のファイル。実行に終わりはありません
verify-without-digest = { $run }: 照合できません。ダイジェストを書き込まないバージョンで記録されました
