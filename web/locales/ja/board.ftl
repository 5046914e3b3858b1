# 盤が（とくに読み上げソフトに）伝える言葉。$owner は mine, theirs, south, north。

board-name = オワレの盤
board-separator = ""
    .text = 、
    .end = 。
board-row = { $owner ->
    [mine] 自分の列
    [theirs] 相手の列
    [south] 南の列
   *[north] 北の列
}
board-place = { $owner ->
    [mine] 自分の穴{ $number }
    [theirs] 相手の穴{ $number }
    [south] 南の穴{ $number }
   *[north] 北の穴{ $number }
}
board-house = { $owner ->
    [mine] 自分の穴{ $number }
    [theirs] 相手の穴{ $number }
    [south] 南の穴{ $number }
   *[north] 北の穴{ $number }
}、{ $seeds ->
    [0] 空
   *[other] 種{ $seeds }個
}
board-chosen = 選択中
board-can-play = 打てます
board-lands = { $place }で終わります
board-takes = { $seeds }個取ります
board-slam-nothing_captured = すべて取ることになるため、何も取れません
board-slam-opponent_took_rest = すべて取るため、残りは相手のものになります
board-slam-kept = すべて取ることになるため、一つの穴が残ります
board-slam-captured_all = すべて取ります
board-reason-empty = 空です
board-reason-must_feed = 今は打てません。相手に種がなく、この手では種を渡せません
board-reason-grand_slam = 打てません。相手の種をすべて取ってしまいます
board-reason-leaves_no_seed = 打てません。相手に種が一つも残りません
board-mark-hint = おすすめ
board-mark-good = 好手
board-mark-bad = 悪手
board-mark-look = 注目
board-mark-arrow = ここから矢印
board-moved = { $owner ->
    [mine] あなたが
    [theirs] 相手が
    [south] 南が
   *[north] 北が
}穴{ $number }の種{ $seeds }個をまきました
board-ended-in = 最後は{ $place }
board-took = { $seeds }個獲得
board-score = { $owner ->
    [mine] あなた
    [theirs] 相手
    [south] 南
   *[north] 北
} { $seeds }個
board-over = 対局終了
board-row-seeds = { $owner ->
    [mine] 自分の列
    [theirs] 相手の列
    [south] 南の列
   *[north] 北の列
}：{ $seeds }
board-no-move = まだ一手も打たれていません。
confirm-none = 穴を選んでください
confirm-move = { $house } を打つ
