# すべてのページに共通する枠：名前、案内、どこでも起こりうる不具合。

site-name = オワレ
brand-label = オワレ、最初のページへ
skip-to-content = 本文へ移動
menu = メニュー
nav-label = ページ
nav-computer = 対局
nav-friend = 友達と
nav-lobby = ロビー
nav-correspondence = 自分の対局
nav-puzzles = 詰め問題
nav-learn = 学ぶ
nav-analysis = 検討
nav-settings = 設定
nav-sign-in = ログイン
nav-about = このサイト
turns-waiting = あなたの手番の対局が { $count } 局あります
language = 言語
title-computer = コンピューターと対局
title-friend = 友達と対局
title-lobby = ロビー
title-game = 対局
title-correspondence = 自分の対局
title-puzzles = 詰め問題
title-learn = 学ぶ
title-analysis = 検討
title-player = プレイヤー
title-settings = 設定
title-about = このサイトについて
title-sign-in = ログイン
title-admin = 管理
title-missing = ページがありません
missing-text = このアドレスにページはありません。
missing-home = 対局してみる
page-failed = このページを読み込めませんでした。回線が切れているか、サイトが更新されたばかりかもしれません。
try-again = もう一度試す
restart-soon = { $minutes ->
    [0] まもなくサイトを再起動します。対局はその後も続けられます。
   *[other] あと { $minutes } 分でサイトを再起動します。対局はその後も続けられます。
}
cancel = やめる
title-leaders = レーティング上位
