<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja" sourcelanguage="en">
<context>
    <name>plimsoll</name>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source> %1 layouts that leave less than %2 % headroom are listed after those that leave more.</source>
        <translation> 余裕が %2 % に満たない %1 構成は、余裕の大きい構成の後ろに並びます。</translation>
    </message>
    <message>
        <source> (%1 N)</source>
        <translation>（%1 N）</translation>
    </message>
    <message>
        <source> (1 of %1)</source>
        <translation>（%1 件中 1 件目）</translation>
    </message>
    <message>
        <source> (of other presets)</source>
        <translation>（別のプリセット）</translation>
    </message>
    <message>
        <source> (predicted %1)</source>
        <translation>（予測 %1）</translation>
    </message>
    <message>
        <source> &lt;b&gt;Nothing fits&lt;/b&gt; on %1 devices; the nearest layouts are listed.</source>
        <translation> &lt;b&gt;%1 デバイスに収まるものはありません&lt;/b&gt;。最も近い構成を示します。</translation>
    </message>
    <message>
        <source> Best: %1, %2%3.</source>
        <translation> 最良: %1、%2%3。</translation>
    </message>
    <message>
        <source> Contended: other programs took part of the cores.</source>
        <translation> 競合あり: 他のプログラムがコアの一部を使いました。</translation>
    </message>
    <message>
        <source> MW</source>
        <translation> MW</translation>
    </message>
    <message>
        <source> MWh</source>
        <translation> MWh</translation>
    </message>
    <message>
        <source> Not tried: %1.</source>
        <translation> 未探索: %1。</translation>
    </message>
    <message>
        <source> Power is not part of that check.</source>
        <translation> 電力はこの照合の対象外です。</translation>
    </message>
    <message>
        <source> USD</source>
        <translation> USD</translation>
    </message>
    <message>
        <source> after %1</source>
        <translation>（変更前は %1）</translation>
    </message>
    <message>
        <source> after %1 steps</source>
        <translation>（%1 ステップ後）</translation>
    </message>
    <message>
        <source> after 1 step</source>
        <translation>（1 ステップ後）</translation>
    </message>
    <message>
        <source> d</source>
        <translation> 日</translation>
    </message>
    <message>
        <source> dpi</source>
        <translation> dpi</translation>
    </message>
    <message>
        <source> in "%1"</source>
        <translation>（「%1」の途中）</translation>
    </message>
    <message>
        <source> instead of %1</source>
        <translation>（現在は %1）</translation>
    </message>
    <message>
        <source> is not scored: %1</source>
        <translation>は評価対象外: %1</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分</translation>
    </message>
    <message>
        <source> mm</source>
        <translation> mm</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source> with exit code %1</source>
        <translation>（終了コード %1）</translation>
    </message>
    <message>
        <source>"%1" (%2) has changes of %3 that were not saved.</source>
        <translation>「%1」（%2）に、%3 の保存していない変更があります。</translation>
    </message>
    <message>
        <source>"%1" cannot be read as it is now. Nothing has changed.</source>
        <translation>「%1」は現状では読めません。何も変わっていません。</translation>
    </message>
    <message>
        <source>"%1" could not be imported. Nothing has changed.</source>
        <translation>「%1」を取り込めませんでした。何も変わっていません。</translation>
    </message>
    <message>
        <source>"%1" could not be opened as a calibration.</source>
        <translation>「%1」を較正結果として開けませんでした。</translation>
    </message>
    <message>
        <source>"%1" could not be opened. Nothing has changed.</source>
        <translation>「%1」を開けませんでした。何も変わっていません。</translation>
    </message>
    <message>
        <source>"%1" has unsaved changes. Save them?</source>
        <translation>「%1」に保存していない変更があります。保存しますか？</translation>
    </message>
    <message>
        <source>"%1" holds no runs that can be read.</source>
        <translation>「%1」に読める実行がありません。</translation>
    </message>
    <message>
        <source>"%1" is no letter or sign other than ( ) | / , and digits.</source>
        <translation>「%1」は使えません。( ) | / , と数字のほかの文字か記号を 1 つ入力してください。</translation>
    </message>
    <message>
        <source>"%1" is no longer where it was opened or saved.</source>
        <translation>「%1」は開いた、または保存した場所にありません。</translation>
    </message>
    <message>
        <source>"%1" is there already. Replace it?</source>
        <translation>「%1」はすでにあります。置き換えますか？</translation>
    </message>
    <message>
        <source>"%1" was changed by another program since it was opened or saved here.</source>
        <translation>「%1」は、ここで開いた、または保存したあとに別のプログラムが変更しました。</translation>
    </message>
    <message>
        <source>"%1" was opened, with remarks.</source>
        <translation>「%1」を開きました。注意事項があります。</translation>
    </message>
    <message>
        <source>"%1", a plan of last time, cannot be opened: %2</source>
        <translation>前回開いていた計画「%1」を開けません: %2</translation>
    </message>
    <message>
        <source>"%1", a plan of last time, is no longer in %2.</source>
        <translation>前回開いていた計画「%1」は、もう%2にありません。</translation>
    </message>
    <message>
        <source>"{1}" differs from the name of the file</source>
        <translation>「{1}」がファイル名と異なります</translation>
    </message>
    <message>
        <source>"{1}" took {2} less at the end than when the constants were fitted: the machine drifted meanwhile, and the errors of the layouts held back have it in them</source>
        <translation>「{1}」にかかる時間は、定数を当てはめたときより最後に {2} 短くなりました。その間に計算機が変動し、検証用に除外した構成の誤差にはそれが含まれています</translation>
    </message>
    <message>
        <source>"{1}" took {2} longer at the end than when the constants were fitted: the machine drifted meanwhile, and the errors of the layouts held back have it in them</source>
        <translation>「{1}」は、定数を当てはめたときより最後に {2} 長くかかりました。その間に計算機が変動し、検証用に除外した構成の誤差にはそれが含まれています</translation>
    </message>
    <message>
        <source>%1 %2, %3 predicted</source>
        <translation>%1（%2）、予測 %3</translation>
    </message>
    <message>
        <source>%1 %2, not %3</source>
        <translation>%1 は %3 ではなく %2</translation>
    </message>
    <message>
        <source>%1 %2.</source>
        <translation>%1 %2。</translation>
    </message>
    <message>
        <source>%1 (%2 off, range %3)</source>
        <translation>%1（誤差 %2、推定範囲 %3）</translation>
    </message>
    <message>
        <source>%1 (%2 parameters) on %3, %4. Most of a step: %5.</source>
        <translation>%1（%2 パラメータ）、%3、%4。ステップの主な内訳: %5。</translation>
    </message>
    <message>
        <source>%1 (%2), %3 steps</source>
        <translation>%1（%2）、%3 ステップ</translation>
    </message>
    <message>
        <source>%1 (edited)</source>
        <translation>%1（編集済み）</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1（不足）</translation>
    </message>
    <message>
        <source>%1 (not used: %2)</source>
        <translation>%1（未使用: %2）</translation>
    </message>
    <message>
        <source>%1 (one of %2 things)</source>
        <translation>%1（%2 件のうち 1 件）</translation>
    </message>
    <message>
        <source>%1 (yours)</source>
        <translation>%1（あなたの実行）</translation>
    </message>
    <message>
        <source>%1 Looking for the nearest plans that work...</source>
        <translation>%1 実行できる最も近い計画を探している...</translation>
    </message>
    <message>
        <source>%1 Nothing near it works either.</source>
        <translation>%1 近い計画にも実行できるものはない。</translation>
    </message>
    <message>
        <source>%1 What does work:</source>
        <translation>%1 実行できるもの：</translation>
    </message>
    <message>
        <source>%1 against %2: %3.</source>
        <translation>%1 を %2 と比べると：%3。</translation>
    </message>
    <message>
        <source>%1 assumptions</source>
        <translation>仮定 %1 件</translation>
    </message>
    <message>
        <source>%1 cannot be computed.</source>
        <translation>%1 は計算できません。</translation>
    </message>
    <message>
        <source>%1 cannot be made</source>
        <translation>%1 を作成できません</translation>
    </message>
    <message>
        <source>%1 cannot be made.</source>
        <translation>%1 を作成できません。</translation>
    </message>
    <message>
        <source>%1 cannot be started</source>
        <translation>%1 を起動できません</translation>
    </message>
    <message>
        <source>%1 cannot run them: %2</source>
        <translation>%1 では実行できません: %2</translation>
    </message>
    <message>
        <source>%1 device-hours</source>
        <translation>%1 デバイス時間</translation>
    </message>
    <message>
        <source>%1 does not say how many units of %2 a node-hour of %3 is. State it above in Units per node-hour, or choose another programme or machine.</source>
        <translation>%1 には、%3 の 1 ノード時間が %2 の何単位かの記載がありません。上の「1 ノード時間あたりの単位数」で指定するか、別のプログラムか計算機を選んでください。</translation>
    </message>
    <message>
        <source>%1 for each %2, %3 of them: at most %4 (%5), at least %6 (%7)</source>
        <translation>%2 ごとの%1（%3 個）: 最大 %4 (%5)、最小 %6 (%7)</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1 は %2 から %3 まで</translation>
    </message>
    <message>
        <source>%1 holds other files of these names: %2. Replace them?</source>
        <translation>%1 に同じ名前の別のファイルがあります: %2。置き換えますか？</translation>
    </message>
    <message>
        <source>%1 is a plan without a file now; Ctrl+Z returns to yours</source>
        <translation>%1 はファイルのない計画になりました。Ctrl+Z で元の計画に戻ります</translation>
    </message>
    <message>
        <source>%1 is none of: %2.</source>
        <translation>%1 は次のどれでもありません: %2。</translation>
    </message>
    <message>
        <source>%1 is not on this computer: save the folder, submit it there, and import the result afterwards.</source>
        <translation>%1 はこの計算機にありません。フォルダを保存して向こうで投入し、あとで結果を取り込んでください。</translation>
    </message>
    <message>
        <source>%1 jobs run</source>
        <translation>%1 件を実行中</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 層</translation>
    </message>
    <message>
        <source>%1 layers on %2 stages, %3 at most</source>
        <translation>%2 ステージに %1 層、最大 %3 層</translation>
    </message>
    <message>
        <source>%1 layers that the model has not</source>
        <translation>モデルにない %1 層</translation>
    </message>
    <message>
        <source>%1 layers, %2 wide</source>
        <translation>%1 層、幅 %2</translation>
    </message>
    <message>
        <source>%1 layers, all alike</source>
        <translation>%1 層、すべて同じ</translation>
    </message>
    <message>
        <source>%1 layouts of the %2 space: %3 can be computed, %4 fit or may fit (%5).</source>
        <translation>%2探索空間の %1 構成: %3 構成が計算可能、%4 構成が収まるか、収まる可能性があります（%5）。</translation>
    </message>
    <message>
        <source>%1 measurements; from and to are two standard deviations. Taken over, the plan has a machine and software with these constants and without a preset.</source>
        <translation>%1 件の測定。「から」「まで」は標準偏差の 2 倍です。採用すると、計画の計算機とソフトウェアはこの定数を持ち、プリセットからは離れます。</translation>
    </message>
    <message>
        <source>%1 modules that predict further tokens</source>
        <translation>先のトークンを予測する %1 個のモジュール</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>ほか %1 件</translation>
    </message>
    <message>
        <source>%1 node-hours</source>
        <translation>%1 ノード時間</translation>
    </message>
    <message>
        <source>%1 node-hours, %2 device-hours, charged as %3 %4; %5</source>
        <translation>%1 ノード時間、%2 デバイス時間、課金は %3 %4、%5</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>注記 %1 件</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation>%2 %3 中 %1</translation>
    </message>
    <message>
        <source>%1 of %2 on this device used it; no published run used %3 there. The plan then %4.</source>
        <translation>このデバイスでの %2 のうち %1 がこれを使い、%3 を使った公表事例はありません。計画は %4 になります。</translation>
    </message>
    <message>
        <source>%1 of %2 other plans are compared.</source>
        <translation>ほかの計画%2件のうち%1件を比べています。</translation>
    </message>
    <message>
        <source>%1 of %2 runs are complete and kept: Resume goes on from there.</source>
        <translation>%2 回中 %1 回の実行が完了して保存されています。「再開」で続きから行います。</translation>
    </message>
    <message>
        <source>%1 of %2 worked</source>
        <translation>計算した %2 の %1</translation>
    </message>
    <message>
        <source>%1 of about %2</source>
        <translation>%1 / 約 %2</translation>
    </message>
    <message>
        <source>%1 of kind %2: %3</source>
        <translation>種類 %2 の%1: %3</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 での %1</translation>
    </message>
    <message>
        <source>%1 on %2 at %3 of the peak, failures included, pay for %4 FLOP (6 x parameters x tokens).</source>
        <translation>%2 での %1 は、ピーク性能の %3（故障込み）で %4 FLOP（6 x パラメータ x トークン）に相当します。</translation>
    </message>
    <message>
        <source>%1 on %2 nodes, %3 node-hours; %4 plans tried.</source>
        <translation>%2 ノードで %1、%3 ノード時間。%4 の計画を試しました。</translation>
    </message>
    <message>
        <source>%1 over %2, %3 points from %4 to %5: %6</source>
        <translation>%2 に対する%1、%4 から %5 までの %3 点: %6</translation>
    </message>
    <message>
        <source>%1 over %2, %3 points: %1 from %4 to %5.</source>
        <translation>%2 に対する%1、%3 点: %1 は %4 から %5 まで。</translation>
    </message>
    <message>
        <source>%1 over %2: no points.</source>
        <translation>%2 に対する%1: 点がありません。</translation>
    </message>
    <message>
        <source>%1 pays.</source>
        <translation>%1 に課金されます。</translation>
    </message>
    <message>
        <source>%1 per %2</source>
        <translation>%2 あたり %1</translation>
    </message>
    <message>
        <source>%1 per device</source>
        <translation>デバイスあたり %1</translation>
    </message>
    <message>
        <source>%1 plans have unsaved changes. Save them?</source>
        <translation>%1件の計画に保存していない変更があります。保存しますか?</translation>
    </message>
    <message>
        <source>%1 plans of the file are closed here; they would be in the file no longer.</source>
        <translation>ファイルの計画が%1件ここでは閉じられています。保存すると、ファイルからなくなります。</translation>
    </message>
    <message>
        <source>%1 published runs, %2 off where a source had no part%3</source>
        <translation>公表事例 %1 件、未使用の出典での誤差 %2%3</translation>
    </message>
    <message>
        <source>%1 published runs, median error %2, worst %3</source>
        <translation>公表事例 %1 件、誤差の中央値 %2、最大 %3</translation>
    </message>
    <message>
        <source>%1 runs on up to %2 ranks, about %3. %4 numbers will be measured, %5 stay assumed.</source>
        <translation>最大 %2 ランクで %1 回の実行、約 %3。%4 個の数値を測定し、%5 個は仮定のままです。</translation>
    </message>
    <message>
        <source>%1 smaller parts</source>
        <translation>ほか %1 項目</translation>
    </message>
    <message>
        <source>%1 splits were tried, %2 fit; the best is tensor %3 x pipeline %4 with %5.</source>
        <translation>%1 通りの分割を試し、%2 通りが収まります。最良はテンソル %3 × パイプライン %4 の %5 です。</translation>
    </message>
    <message>
        <source>%1 splits were tried, and none fits.</source>
        <translation>%1 通りの分割を試し、収まるものはありません。</translation>
    </message>
    <message>
        <source>%1 stages listed</source>
        <translation>%1 ステージを列挙</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 ～ %2</translation>
    </message>
    <message>
        <source>%1 tokens per second, %2</source>
        <translation>毎秒 %1 トークン、%2</translation>
    </message>
    <message>
        <source>%1 took no job: %2</source>
        <translation>%1 はジョブを受け付けませんでした: %2</translation>
    </message>
    <message>
        <source>%1 vs base</source>
        <translation>基準比 %1</translation>
    </message>
    <message>
        <source>%1 was interrupted after %2 of %3 runs.</source>
        <translation>%1は %3 回中 %2 回の実行後に中断されました。</translation>
    </message>
    <message>
        <source>%1 with %2 (%3)</source>
        <translation>%1、%2 (%3)</translation>
    </message>
    <message>
        <source>%1 x</source>
        <translation>%1 倍</translation>
    </message>
    <message>
        <source>%1 x %2 %3</source>
        <translation>%1 × %2 %3</translation>
    </message>
    <message>
        <source>%1 x %2 mm; as PNG %3 x %4 pixels.</source>
        <translation>%1 x %2 mm。PNG では %3 x %4 画素。</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1 × %2, %3 of a step</source>
        <translation>%1 × %2、ステップの %3</translation>
    </message>
    <message>
        <source>%1, %2 experts</source>
        <translation>%1、%2 エキスパート</translation>
    </message>
    <message>
        <source>%1, %2 points</source>
        <translation>%1、%2 点</translation>
    </message>
    <message>
        <source>%1, %2: %3.</source>
        <translation>%1、%2: %3。</translation>
    </message>
    <message>
        <source>%1, again</source>
        <translation>%1(再訪)</translation>
    </message>
    <message>
        <source>%1, best of each split</source>
        <translation>%1、各分割の最良</translation>
    </message>
    <message>
        <source>%1, devices</source>
        <translation>%1、デバイス</translation>
    </message>
    <message>
        <source>%1, in all %2 of %3 %4</source>
        <translation>%3 %4 中 %1、全体で %2</translation>
    </message>
    <message>
        <source>%1, in use</source>
        <translation>%1、使用中</translation>
    </message>
    <message>
        <source>%1, read as a configuration of %2. Nothing of it is executed, and nothing has changed yet.</source>
        <translation>%1 を %2 の設定として読み取りました。何も実行されず、まだ何も変わっていません。</translation>
    </message>
    <message>
        <source>%1, slider</source>
        <translation>%1、スライダー</translation>
    </message>
    <message>
        <source>%1, with hosts</source>
        <translation>%1、ホスト込み</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2 measured, %3 predicted, %4</source>
        <translation>%1: 実測 %2、予測 %3、%4</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%3 のうち %2</translation>
    </message>
    <message>
        <source>%1: %2 of %3 visits have steps that count. The folder is looked at every %4 s.</source>
        <translation>%1: %3 回のうち %2 回に、数えられるステップがあります。フォルダーは %4 秒ごとに調べます。</translation>
    </message>
    <message>
        <source>%1: %2 off on average with the presets, %3 with these constants.</source>
        <translation>%1: 平均の誤差はプリセットで %2、この定数で %3。</translation>
    </message>
    <message>
        <source>%1: %2 on %3</source>
        <translation>%1：%3 で %2</translation>
    </message>
    <message>
        <source>%1: %2 parts, together %3; the largest are %4.</source>
        <translation>%1: %2 項目、合計 %3。最大は %4。</translation>
    </message>
    <message>
        <source>%1: %2 runs, median %3, bias %4</source>
        <translation>%1: %2 件、中央値 %3、偏り %4</translation>
    </message>
    <message>
        <source>%1: %2 to %3</source>
        <translation>%1: %2 ～ %3</translation>
    </message>
    <message>
        <source>%1: %2%3</source>
        <translation>%1: %2%3</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2、%3</translation>
    </message>
    <message>
        <source>%1: %2, %3 of %4 layers</source>
        <translation>%1: %2、%4 層のうち %3 層</translation>
    </message>
    <message>
        <source>%1: edit it in %2</source>
        <translation>%1: %2 で入力する</translation>
    </message>
    <message>
        <source>%1: ends by itself</source>
        <translation>%1: 自動的に終わります</translation>
    </message>
    <message>
        <source>%1: found %2, expected a whole number from %3 to %4.</source>
        <translation>%1: 値は %2 ですが、%3 から %4 までの整数でなければなりません。</translation>
    </message>
    <message>
        <source>%1: no parts.</source>
        <translation>%1: 内訳がありません。</translation>
    </message>
    <message>
        <source>%1: none of %2 rows scored</source>
        <translation>%1: %2 行のうち評価されたものはありません</translation>
    </message>
    <message>
        <source>%1: tensor %2, pipeline %3, data %4; step %5</source>
        <translation>%1: テンソル %2、パイプライン %3、データ %4、ステップ %5</translation>
    </message>
    <message>
        <source>%1: the plan cannot be computed as it stands, so there is nothing to compare with.</source>
        <translation>%1: 計画が現状では計算できないため、比較できるものがありません。</translation>
    </message>
    <message>
        <source>%1[*] - %2 - Plimsoll</source>
        <translation>%1[*] - %2 - Plimsoll</translation>
    </message>
    <message>
        <source>%1[*] - Plimsoll</source>
        <translation>%1[*] - Plimsoll</translation>
    </message>
    <message numerus="yes">
        <source>%n measured run(s)...</source>
        <translation><numerusform>実測 %n 件...</numerusform></translation>
    </message>
    <message>
        <source>%p % of %1</source>
        <translation>%1 の %p %</translation>
    </message>
    <message>
        <source>&amp;About Plimsoll</source>
        <translation>Plimsoll について(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Account</source>
        <translation>アカウント(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Accumulate</source>
        <translation>勾配蓄積(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Add a file...</source>
        <translation>ファイルを追加(&amp;A)...</translation>
    </message>
    <message>
        <source>&amp;Aim</source>
        <translation>目標(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>すべて(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Amount:</source>
        <translation>量(&amp;A)：</translation>
    </message>
    <message>
        <source>&amp;Automatic layout</source>
        <translation>自動並列構成(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Award</source>
        <translation>配分量(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>戻る(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Back to the plan</source>
        <translation>計画に戻る(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Batch system</source>
        <translation>バッチシステム(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Budget in node-hours:</source>
        <translation>予算(ノード時間)(&amp;B):</translation>
    </message>
    <message>
        <source>&amp;Calibrate on this computer</source>
        <translation>この計算機で較正(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>閉じる(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Compare with the plan in front</source>
        <translation>手前の計画と比較(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Contingency</source>
        <translation>予備(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>コピー(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Copy chart</source>
        <translation>図をコピー(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Cost</source>
        <translation>費用(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Counts from</source>
        <translation>有意とする差(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>ダーク(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Data</source>
        <translation>データ(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Devices:</source>
        <translation>デバイス数(&amp;D):</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>完了(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Duplicate</source>
        <translation>複製(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Duplicate this plan</source>
        <translation>この計画を複製(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Durations are shown in:</source>
        <translation>時間の単位(&amp;D):</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>編集(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Edit the kinds of layers</source>
        <translation>層の種類を編集(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Energy</source>
        <translation>電力量(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Engine</source>
        <translation>エンジン(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Export or print figures...</source>
        <translation>図の書き出しと印刷(&amp;E)...</translation>
    </message>
    <message>
        <source>&amp;Export...</source>
        <translation>書き出し(&amp;E)...</translation>
    </message>
    <message>
        <source>&amp;Fastest split at this micro-batch</source>
        <translation>このマイクロバッチで最速の分割(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>ファイル(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;File of runs...</source>
        <translation>実行のファイル(&amp;F)...</translation>
    </message>
    <message>
        <source>&amp;Find an input</source>
        <translation>入力項目を検索(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;For</source>
        <translation>対象(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Framework</source>
        <translation>フレームワーク(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Framework:</source>
        <translation>フレームワーク(&amp;F):</translation>
    </message>
    <message>
        <source>&amp;Free memory</source>
        <translation>空きメモリ(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Further tokens</source>
        <translation>先のトークン(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Go to it</source>
        <translation>そのタブへ(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>高さ(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>ヘルプ(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Help pages</source>
        <translation>ヘルプページ(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Hours are counted as:</source>
        <translation>時間の数え方(&amp;H)：</translation>
    </message>
    <message>
        <source>&amp;Import model...</source>
        <translation>モデルの取り込み(&amp;I)...</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>保存(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Keep a copy beside</source>
        <translation>写しを横に置く(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Keep for this plan</source>
        <translation>この計画のために残す(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Keep what the log measured, as "I measured this" does</source>
        <translation>ログの実測値を「実測を登録」と同じように保存(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>キーボードショートカット(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Layout</source>
        <translation>並列構成(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Legend</source>
        <translation>凡例(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>ライト(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;List</source>
        <translation>リスト(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Longest job</source>
        <translation>ジョブの最長時間(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Machine:</source>
        <translation>計算機(&amp;M):</translation>
    </message>
    <message>
        <source>&amp;Measured runs...</source>
        <translation>実測した実行(&amp;M)...</translation>
    </message>
    <message>
        <source>&amp;Measured step:</source>
        <translation>実測のステップ(&amp;M)：</translation>
    </message>
    <message>
        <source>&amp;Memory is shown in:</source>
        <translation>メモリの単位(&amp;M):</translation>
    </message>
    <message>
        <source>&amp;Memory, GiB</source>
        <translation>メモリ、GiB(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>モデル(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名前(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;New plan</source>
        <translation>新しい計画(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>次へ(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>次のペイン(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>いいえ(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;No, thanks</source>
        <translation>今はしない(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Node-hours:</source>
        <translation>ノード時間(&amp;N)：</translation>
    </message>
    <message>
        <source>&amp;Nodes</source>
        <translation>ノード数(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Nodes at hand</source>
        <translation>使えるノード数(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>すべて外す(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Number:</source>
        <translation>数値(&amp;N):</translation>
    </message>
    <message>
        <source>&amp;Open a plan...</source>
        <translation>計画を開く(&amp;O)...</translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation>開く(&amp;O)...</translation>
    </message>
    <message>
        <source>&amp;Pattern</source>
        <translation>パターン(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Pin as baseline</source>
        <translation>基準として固定(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Pipeline</source>
        <translation>パイプライン(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>計画(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Plan it</source>
        <translation>計画する(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Power</source>
        <translation>電力(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Power may be at most:</source>
        <translation>電力の上限(&amp;P):</translation>
    </message>
    <message>
        <source>&amp;Print...</source>
        <translation>印刷(&amp;P)...</translation>
    </message>
    <message>
        <source>&amp;Programme</source>
        <translation>プログラム(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Question:</source>
        <translation>質問(&amp;Q):</translation>
    </message>
    <message>
        <source>&amp;Questions</source>
        <translation>質問(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Queue</source>
        <translation>キュー(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>終了(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Rank by</source>
        <translation>順位の基準(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Read logs back...</source>
        <translation>ログを読み戻す(&amp;R)...</translation>
    </message>
    <message>
        <source>&amp;Recompute</source>
        <translation>再計算(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>やり直す(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Rename...</source>
        <translation>名前を変更(&amp;R)...</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Search layouts</source>
        <translation>並列構成を探索(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Select the best layout of this split</source>
        <translation>この分割の最良の構成を選ぶ(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>開始(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Steps</source>
        <translation>ステップ数(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Steps of the log</source>
        <translation>ログのステップ(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Take the tour</source>
        <translation>ツアーを始める(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>時間(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Time, node-hours and energy:</source>
        <translation>時間、ノード時間、電力量(&amp;T):</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>元に戻す(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Unit:</source>
        <translation>単位(&amp;U)：</translation>
    </message>
    <message>
        <source>&amp;Units per node-hour</source>
        <translation>1 ノード時間あたりの単位数(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Units...</source>
        <translation>単位(&amp;U)...</translation>
    </message>
    <message>
        <source>&amp;Use this plan</source>
        <translation>この計画を使う(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Validate runs...</source>
        <translation>実行の検証(&amp;V)...</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>表示(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Visits</source>
        <translation>繰り返し(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;What for</source>
        <translation>何のため(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Whole step (0)</source>
        <translation>ステップ全体 (0)(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Why</source>
        <translation>理由(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>幅(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Write the job...</source>
        <translation>ジョブを書き出す(&amp;W)...</translation>
    </message>
    <message>
        <source>&amp;Write the pack...</source>
        <translation>一式を書き出す(&amp;W)...</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>はい(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;ZeRO</source>
        <translation>ZeRO(&amp;Z)</translation>
    </message>
    <message>
        <source>&amp;which is</source>
        <translation>その種類(&amp;W)</translation>
    </message>
    <message>
        <source>(1 + k0 q/k)(1 + A0/(m n))(1 + m0/m), constants of the device: a grid adds up its result in q steps</source>
        <translation>(1 + k0 q/k)(1 + A0/(m n))(1 + m0/m)、定数はデバイスのもの。格子は q 段で結果を加算します</translation>
    </message>
    <message>
        <source>(1 + k0/k)(1 + A0/(m n))(1 + m0/m), constants of the device</source>
        <translation>(1 + k0/k)(1 + A0/(m n))(1 + m0/m)、定数はデバイスのもの</translation>
    </message>
    <message>
        <source>(1 + r0/rows)(1 + w0/min(n, k)) with the rows of one expert, constants of the device</source>
        <translation>(1 + r0/行数)(1 + w0/min(n, k))、行数は 1 エキスパートのもの、定数はデバイスのもの</translation>
    </message>
    <message>
        <source>(TP/N + 1) 2 Mp; 2 (d−1)/d b_g P/(t p) + 8 (t−1)/t b s h per layer</source>
        <translation>(TP/N + 1) 2 Mp。層あたり 2 (d−1)/d b_g P/(t p) + 8 (t−1)/t b s h</translation>
    </message>
    <message>
        <source>(c-1) 3/4 (element + 8 bytes) of output, or of the gradients of queries, keys and values, over streamed bandwidth</source>
        <translation>出力、またはクエリ・キー・バリューの勾配の (c-1) 3/4（要素 + 8 バイト）÷ ストリーム帯域</translation>
    </message>
    <message>
        <source>(c-1)/c of b s/c width elements to the other ranks, the slowest level counts</source>
        <translation>b s/c × 幅の要素の (c-1)/c を他ランクへ。最も遅い階層で決まります</translation>
    </message>
    <message>
        <source>(device^6 + host^6)^(1/6)</source>
        <translation>(device^6 + host^6)^(1/6)</translation>
    </message>
    <message>
        <source>(device_max_W / reference_power_W)^power_exponent</source>
        <translation>(device_max_W / reference_power_W)^power_exponent</translation>
    </message>
    <message>
        <source>(fan-1)/fan x payload / members inside</source>
        <translation>(fan-1)/fan x ペイロード / 内側のメンバー数</translation>
    </message>
    <message>
        <source>+</source>
        <translation>+</translation>
    </message>
    <message>
        <source>+%1 %</source>
        <translation>+%1 %</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>, %1 modules on stage %2</source>
        <translation>、ステージ %2 に %1 モジュール</translation>
    </message>
    <message>
        <source>, 1 module on stage %1</source>
        <translation>、ステージ %1 に 1 モジュール</translation>
    </message>
    <message>
        <source>, chunk %1</source>
        <translation>、チャンク %1</translation>
    </message>
    <message>
        <source>, exceeds memory</source>
        <translation>、メモリ超過</translation>
    </message>
    <message>
        <source>, last seen in %1</source>
        <translation>、最後の位置は %1</translation>
    </message>
    <message>
        <source>, micro-batch %1</source>
        <translation>、マイクロバッチ %1</translation>
    </message>
    <message>
        <source>, tight: none leaves the headroom</source>
        <translation>、余裕なし: 指定の余裕を残すものはありません</translation>
    </message>
    <message>
        <source>--import result.jsonl --sacct energy.txt</source>
        <translation>--import result.jsonl --sacct energy.txt</translation>
    </message>
    <message>
        <source>. Log: %1</source>
        <translation>。ログ: %1</translation>
    </message>
    <message>
        <source>0 %: no progress</source>
        <translation>0 %: 進みません</translation>
    </message>
    <message>
        <source>0.43 of the memory bandwidth over the bytes touched (Ren et al. 2021)</source>
        <translation>メモリ帯域の 0.43 ÷ 触れるバイト数 (Ren et al. 2021)</translation>
    </message>
    <message>
        <source>0.80 and 1.25 times the preset's</source>
        <translation>プリセット値の 0.80 倍と 1.25 倍</translation>
    </message>
    <message>
        <source>0: nothing</source>
        <translation>0: なし</translation>
    </message>
    <message>
        <source>1 % of the gradients, two data ranks</source>
        <translation>勾配の 1 %、2 データランク</translation>
    </message>
    <message>
        <source>1 - share of activations sent</source>
        <translation>1 - 送ったアクティベーションの割合</translation>
    </message>
    <message>
        <source>1 - share sent</source>
        <translation>1 - 送る割合</translation>
    </message>
    <message>
        <source>1 assumption</source>
        <translation>仮定 1 件</translation>
    </message>
    <message>
        <source>1 device</source>
        <translation>1 デバイス</translation>
    </message>
    <message>
        <source>1 layer</source>
        <translation>1 層</translation>
    </message>
    <message>
        <source>1 layout that was held back did not run to the end</source>
        <translation>検証用に除外した 1 構成が最後まで実行されませんでした</translation>
    </message>
    <message>
        <source>1 less the exposed share</source>
        <translation>1 から露出する割合を引いた値</translation>
    </message>
    <message>
        <source>1 less those taken</source>
        <translation>1 から使う割合を引いた値</translation>
    </message>
    <message>
        <source>1 less units the exchange takes over those that are left</source>
        <translation>1 から、交換が使うユニット数と残りのユニット数の比を引いたもの</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>注記 1 件</translation>
    </message>
    <message>
        <source>1 without a capacity</source>
        <translation>容量がなければ 1</translation>
    </message>
    <message>
        <source>1,000 days</source>
        <translation>1,000 日</translation>
    </message>
    <message>
        <source>120 P²</source>
        <translation>120 P²</translation>
    </message>
    <message>
        <source>16 bits, no states</source>
        <translation>16 ビット、状態なし</translation>
    </message>
    <message>
        <source>1: optimizer</source>
        <translation>1: オプティマイザ</translation>
    </message>
    <message>
        <source>2 (2 m^2 n + 2 m n^2) every step, and the same before every QR</source>
        <translation>毎ステップ 2 (2 m^2 n + 2 m n^2)、QR 分解の前にも同じだけ</translation>
    </message>
    <message>
        <source>2 (DP + PP·TP + 1)/N Mp; P [(b_p + b_g)/(TP·PP) + b_o/N]</source>
        <translation>2 (DP + PP·TP + 1)/N Mp。P [(b_p + b_g)/(TP·PP) + b_o/N]</translation>
    </message>
    <message>
        <source>2 (fan-1)/fan x payload / members inside; at most (1 + 1/fan) / switch_reduction of it where a switch adds up</source>
        <translation>2 (fan-1)/fan x ペイロード / 内側のメンバー数。スイッチが加算する場合はその (1 + 1/fan) / switch_reduction 以下</translation>
    </message>
    <message>
        <source>2 b s kv elements of all ranks</source>
        <translation>全ランクの 2 b s kv 要素</translation>
    </message>
    <message>
        <source>2 b s kv elements of all ranks; nothing hides it</source>
        <translation>全ランクの 2 b s kv 要素、何にも隠れません</translation>
    </message>
    <message>
        <source>2 b s/c kv elements</source>
        <translation>2 b s/c kv 要素</translation>
    </message>
    <message>
        <source>2 k_in^2 d_out + 2 k_out^2 d_in summed over blocks, every step</source>
        <translation>ブロックごとの 2 k_in^2 d_out + 2 k_out^2 d_in の和、毎ステップ</translation>
    </message>
    <message>
        <source>2 n d scores of every key before a query, top k, attention's scores of these</source>
        <translation>クエリより前のすべてのキーの 2 n d のスコア、上位 k、それらに対するアテンションのスコア</translation>
    </message>
    <message>
        <source>2 or 3 h f_e and its biases</source>
        <translation>2 または 3 h f_e とそのバイアス</translation>
    </message>
    <message>
        <source>2 tokens k^2 FLOP per block, as products of k x tokens x k</source>
        <translation>ブロックあたり 2 トークン k^2 FLOP、k x トークン x k の行列積</translation>
    </message>
    <message>
        <source>2.69 CHF/node-hour or 1.99 USD/device-hour</source>
        <translation>2.69 CHF/node-hour または 1.99 USD/device-hour</translation>
    </message>
    <message>
        <source>20 for each parameter that a token passes: %1</source>
        <translation>トークンが通るパラメータ 1 つあたり 20：%1</translation>
    </message>
    <message>
        <source>20 tokens per parameter (Hoffmann et al. 2022)</source>
        <translation>パラメータあたり 20 トークン（Hoffmann ら 2022）</translation>
    </message>
    <message>
        <source>2: gradients</source>
        <translation>2: 勾配</translation>
    </message>
    <message>
        <source>3 Mp; 3 (N−1)/N Mp</source>
        <translation>3 Mp。3 (N−1)/N Mp</translation>
    </message>
    <message>
        <source>3 bytes a weight, and its copies</source>
        <translation>重みあたり 3 バイトとその写し</translation>
    </message>
    <message>
        <source>3 forward passes, full attention, padded head, nothing recomputed (Narayanan et al. 2021)</source>
        <translation>順伝播 3 回分、アテンション全体、ヘッドはパディング込み、再計算なし (Narayanan et al. 2021)</translation>
    </message>
    <message>
        <source>3: weights</source>
        <translation>3: 重み</translation>
    </message>
    <message>
        <source>4 N a token: 2 forward passes of frozen products, 3 of adapters and attention; full attention, padded head, nothing recomputed</source>
        <translation>トークンあたり 4 N: 固定した積は順伝播 2 回分、アダプターとアテンションは 3 回分。アテンション全体、パディングしたヘッド、再計算なし</translation>
    </message>
    <message>
        <source>4 b s/c kv elements</source>
        <translation>4 b s/c kv 要素</translation>
    </message>
    <message>
        <source>4 bytes of n d_k d_v, and of delta rules n d_k d_k more, of every rank</source>
        <translation>各ランクの n d_k d_v 要素、デルタ則ではさらに n d_k d_k 要素、それぞれ 4 バイト</translation>
    </message>
    <message>
        <source>6 Mp / N; all model states / N</source>
        <translation>6 Mp / N。すべてのモデル状態 / N</translation>
    </message>
    <message>
        <source>6 N a token: 2 forward passes of frozen products, 3 of adapters and attention, 1 of the reference model; full attention, padded head, nothing recomputed</source>
        <translation>トークンあたり 6 N: 固定した積の順伝播 2 回分、アダプターとアテンションの 3 回分、参照モデルの 1 回分。完全なアテンション、パディングしたヘッド、再計算なし</translation>
    </message>
    <message>
        <source>6 P D / (0.4 R_peak), a usual guess; full model: predicted time</source>
        <translation>6 P D / (0.4 R_peak)、よく使われる見積もり。完全なモデル: 予測時間</translation>
    </message>
    <message>
        <source>6 P D / (FLOP/s per watt); full model: power by activity</source>
        <translation>6 P D / (W あたり FLOP/s)。完全なモデル: 稼働の度合いによる電力</translation>
    </message>
    <message>
        <source>6 P D / (N R_peak); full model: predicted time</source>
        <translation>6 P D / (N R_peak)。完全なモデル: 予測時間</translation>
    </message>
    <message>
        <source>6 P D / (R_device × devices per node × 3600)</source>
        <translation>6 P D / (R_device × ノードあたりデバイス数 × 3600)</translation>
    </message>
    <message>
        <source>6 P D; full model: attention and head counted</source>
        <translation>6 P D。完全なモデル: アテンションとヘッドを含む</translation>
    </message>
    <message>
        <source>6, 8, 10, 12, 14, 16, 18 or 20, or an object of formats</source>
        <translation>6、8、10、12、14、16、18、20 のいずれか、または形式のオブジェクト</translation>
    </message>
    <message>
        <source>8 B s L h k (e-1)/e in 16 bit (BigMac, 2502.16927); one copy per expert, however sent</source>
        <translation>16 ビットで 8 B s L h k (e-1)/e (BigMac, 2502.16927)。送り方によらずエキスパートごとに 1 複製</translation>
    </message>
    <message>
        <source>8 N a token: 3 forward passes and 1 of the reference model; full attention, padded head, nothing recomputed</source>
        <translation>トークンあたり 8 N: 順伝播 3 回分と参照モデルの 1 回分。完全なアテンション、パディングしたヘッド、再計算なし</translation>
    </message>
    <message>
        <source>8-bit optimizer states</source>
        <translation>8 ビットのオプティマイザ状態</translation>
    </message>
    <message>
        <source>90 %</source>
        <translation>90 %</translation>
    </message>
    <message>
        <source>95 %</source>
        <translation>95 %</translation>
    </message>
    <message>
        <source>95 % from</source>
        <translation>95 % 下限</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区間</translation>
    </message>
    <message>
        <source>95 % interval of its measurement</source>
        <translation>測定の 95 % 区間</translation>
    </message>
    <message>
        <source>95 %: %1 to %2%3</source>
        <translation>95 %: %1 ～ %2%3</translation>
    </message>
    <message>
        <source>: %1</source>
        <translation>: %1</translation>
    </message>
    <message>
        <source>; %1</source>
        <translation>; %1</translation>
    </message>
    <message>
        <source>; %1 of %2 inside their intervals of 90 %</source>
        <translation>。%2 件中 %1 件が 90 % 区間内</translation>
    </message>
    <message>
        <source>; %1 over the %2 that nothing disturbed</source>
        <translation>。乱れのなかった %2 件では %1</translation>
    </message>
    <message>
        <source>; nearest: {1}</source>
        <translation>。近いもの: {1}</translation>
    </message>
    <message>
        <source>; of memory %1</source>
        <translation>、メモリは %1</translation>
    </message>
    <message>
        <source>; something disturbed all of them</source>
        <translation>。すべてに乱れがありました</translation>
    </message>
    <message>
        <source>; the fastest split takes %1</source>
        <translation>。最速の分割では %1</translation>
    </message>
    <message>
        <source>; the plan is at %1</source>
        <translation>。計画は %1</translation>
    </message>
    <message>
        <source>&lt;b&gt;Plimsoll %1&lt;/b&gt;&lt;p&gt;What it takes to pre-train or fine-tune a large language model on a supercomputer: time, memory, energy and node-hours of a plan.&lt;/p&gt;&lt;p&gt;Qt %2, QCustomPlot.&lt;/p&gt;</source>
        <translation>&lt;b&gt;Plimsoll %1&lt;/b&gt;&lt;p&gt;スーパーコンピュータで大規模言語モデルを事前学習、またはファインチューニングするのに必要なもの: 計画の時間、メモリ、電力量、ノード時間。&lt;/p&gt;&lt;p&gt;Qt %2, QCustomPlot.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;The plan has changed since this search.&lt;/b&gt; </source>
        <translation>&lt;b&gt;この探索のあとに計画が変わりました。&lt;/b&gt; </translation>
    </message>
    <message>
        <source>&lt;br&gt;The source leaves out, so this was assumed:</source>
        <translation>&lt;br&gt;出典にないため仮定したもの:</translation>
    </message>
    <message>
        <source>&lt;p&gt;%1 cannot be computed, so there is nothing to compare with.&lt;/p&gt;</source>
        <translation>&lt;p&gt;%1は計算できないため、比較できるものがありません。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;Against %1 (%2): %3.&lt;/p&gt;&lt;table width="100%" cellspacing="0" cellpadding="1"&gt;</source>
        <translation>&lt;p&gt;%1（%2）との比較: %3。&lt;/p&gt;&lt;table width="100%" cellspacing="0" cellpadding="1"&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;Is this plan's job running? Open its measured steps to see whether they depart from the prediction, and whether another layout would pay from here on.&lt;/p&gt;&lt;p&gt;The file: a table with a header and a step a line, its time in the column &lt;b&gt;step_s&lt;/b&gt; or &lt;b&gt;step_ms&lt;/b&gt; and, where they are known, the parts of a step in columns of their own (&lt;b&gt;gemm&lt;/b&gt;, &lt;b&gt;data_parallel&lt;/b&gt;, ...); or a log of a training framework or of plimsoll-engine.&lt;/p&gt;</source>
        <translation>&lt;p&gt;この計画のジョブは実行中ですか。測定したステップを開くと、予測から外れているか、いまから別の並列構成に変える価値があるかが分かります。&lt;/p&gt;&lt;p&gt;ファイル: 見出し行があり 1 行が 1 ステップの表で、時間は列 &lt;b&gt;step_s&lt;/b&gt; または &lt;b&gt;step_ms&lt;/b&gt;、ステップの内訳が分かれば個別の列（&lt;b&gt;gemm&lt;/b&gt;、&lt;b&gt;data_parallel&lt;/b&gt; など）に入れます。学習フレームワークまたは plimsoll-engine のログも開けます。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;This is %1. Select another layout to see why it is faster or slower.&lt;/p&gt;</source>
        <translation>&lt;p&gt;これは%1です。別の構成を選ぶと、速い、または遅い理由を表示します。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>= %1 sequences</source>
        <translation>= %1 系列</translation>
    </message>
    <message>
        <source>= %1 tokens</source>
        <translation>= %1 トークン</translation>
    </message>
    <message>
        <source>A &amp;tour of the window</source>
        <translation>ウィンドウのツアー(&amp;T)</translation>
    </message>
    <message>
        <source>A budget of {1} is too small: {2} is the least in which every layout that is held back still runs.</source>
        <translation>時間 {1} は短すぎます。検証用に除外した構成がすべて動くには、最低 {2} 必要です。</translation>
    </message>
    <message>
        <source>A calibration of %1</source>
        <translation>%1 の較正</translation>
    </message>
    <message>
        <source>A calibration of %1 from %2</source>
        <translation>%2 に始めた %1 の較正</translation>
    </message>
    <message>
        <source>A calibration of this computer; its complete runs are kept, and it can be resumed.</source>
        <translation>この計算機の較正。完了した実行は保存され、再開できます。</translation>
    </message>
    <message>
        <source>A copy in a tab of its own, to be changed and compared with this one</source>
        <translation>別のタブに写しを作ります。変更してこの計画と比べられます</translation>
    </message>
    <message>
        <source>A copy of the model that stays as it is; the model with its adapters off; or probabilities computed before the run, which cost the step nothing. TRL: precompute_ref_log_probs</source>
        <translation>変わらないモデルの写し、アダプターを切ったモデル、または実行前に計算した確率（ステップには何も加えません）。TRL: precompute_ref_log_probs</translation>
    </message>
    <message>
        <source>A copy of the plan as it is now in a tab of its own, which later edits leave alone</source>
        <translation>今の計画の写しを別のタブに置きます。後の変更は写しに及びません</translation>
    </message>
    <message>
        <source>A copy of this plan with fewer or more pipeline stages of as many layers: most of its error is handed on.</source>
        <translation>パイプラインのステージ数だけが異なり、ステージあたりの層数が同じコピーです。誤差の大部分を引き継ぎました。</translation>
    </message>
    <message>
        <source>A copy of this plan with other pipeline stages: a third of its error is handed on.</source>
        <translation>パイプラインのステージが異なるコピーです。誤差の三分の一を引き継ぎます。</translation>
    </message>
    <message>
        <source>A copy of this plan, but for layers and replicas: its error is handed on.</source>
        <translation>層数とレプリカ数だけが異なるこの計画のコピーです。その誤差を引き継ぎました。</translation>
    </message>
    <message>
        <source>A cuDNN kernel in place of the attention kernel on devices that have numbers of it: PyTorch's, or the one of Transformer Engine under Megatron-Core. TorchTitan: on Blackwell</source>
        <translation>数値のあるデバイスではアテンションカーネルの代わりに cuDNN カーネルを使います。PyTorch のもの、Megatron-Core では Transformer Engine のものです。TorchTitan: Blackwell で</translation>
    </message>
    <message>
        <source>A cycle</source>
        <translation>1 周期</translation>
    </message>
    <message>
        <source>A device here is one {1}, and a node has {2}</source>
        <translation>ここでのデバイスは {1} 1 個で、ノードには {2} あります</translation>
    </message>
    <message>
        <source>A folder for the job</source>
        <translation>ジョブ用のフォルダ</translation>
    </message>
    <message>
        <source>A folder for the job that all its nodes can see</source>
        <translation>全ノードから見えるジョブ用のフォルダ</translation>
    </message>
    <message>
        <source>A kind like the chosen one, with a letter of its own</source>
        <translation>選んだ種類と同じで、別の文字を持つ種類</translation>
    </message>
    <message>
        <source>A kind of layer less</source>
        <translation>層の種類の削除</translation>
    </message>
    <message>
        <source>A layer that recomputation brings back lies where they were</source>
        <translation>再計算で戻る層をロジットのあった場所に置きます</translation>
    </message>
    <message>
        <source>A letter a layer; (GGGA)x12 stands for 48 of them, and so does GGGA twelve times</source>
        <translation>1 層に 1 文字。(GGGA)x12 は 48 層を表し、GGGA を 12 回書くのと同じです</translation>
    </message>
    <message>
        <source>A machine of {1}</source>
        <translation>{1}の計算機</translation>
    </message>
    <message>
        <source>A measured step against the predicted one: what each part alone would have to be to explain the difference.</source>
        <translation>実測のステップと予測の比較：各部分だけが原因なら、いくらでなければならないか。</translation>
    </message>
    <message>
        <source>A measured step or memory of this plan: predictions of plans like it start from there</source>
        <translation>この計画のステップ時間またはメモリの実測値。似た計画の予測はそこから始まります</translation>
    </message>
    <message>
        <source>A new plan</source>
        <translation>新しい計画</translation>
    </message>
    <message>
        <source>A node-hour is {1} of them.</source>
        <translation>1 ノード時間はその {1} 個分です。</translation>
    </message>
    <message>
        <source>A norm after the embedding, as in BLOOM</source>
        <translation>埋め込みのあとの正規化（BLOOM など）</translation>
    </message>
    <message>
        <source>A norm after the last layer</source>
        <translation>最後の層のあとの正規化</translation>
    </message>
    <message>
        <source>A norm behind the gate of Mamba-2 (Falcon-H1 has none)</source>
        <translation>Mamba-2 のゲートの後の正規化（Falcon-H1 にはありません）</translation>
    </message>
    <message>
        <source>A number of hours is needed.</source>
        <translation>時間を数値で入力してください。</translation>
    </message>
    <message>
        <source>A number of node-hours is needed.</source>
        <translation>ノード時間を数値で入力してください。</translation>
    </message>
    <message>
        <source>A number with or without k, M, B or T, such as 1.3M</source>
        <translation>数値（1.3M のように k、M、B、T も使えます）</translation>
    </message>
    <message>
        <source>A number with or without k, M, B or T, such as 250k</source>
        <translation>数値（250k のように k、M、B、T も使えます）</translation>
    </message>
    <message>
        <source>A parameter is updated as soon as the backward pass has its gradient, so that the gradients are never all there; asks for one micro-batch a step. torchtune: optimizer_in_bwd</source>
        <translation>逆伝播がパラメータの勾配を得た時点で更新するので、すべての勾配がそろうことはありません。ステップあたりマイクロバッチ一つが必要です。torchtune: optimizer_in_bwd</translation>
    </message>
    <message>
        <source>A pattern needs at least one letter.</source>
        <translation>パターンには 1 文字以上が必要です。</translation>
    </message>
    <message>
        <source>A plan here has one strategy for all of its layers, so only that row can be taken over.</source>
        <translation>ここでの計画は全層で同じ方式を使うので、その行だけを採用できます。</translation>
    </message>
    <message>
        <source>A plan of the file is closed here; it would be in the file no longer.</source>
        <translation>ファイルの計画が1件ここでは閉じられています。保存すると、ファイルからなくなります。</translation>
    </message>
    <message>
        <source>A plan that leaves less is tight, and searches put it after all that leave it</source>
        <translation>これより空きが少ない計画は「余裕なし」となり、探索では空きのあるものの後に並びます</translation>
    </message>
    <message>
        <source>A plan to compare with</source>
        <translation>比較する計画</translation>
    </message>
    <message>
        <source>A product as wide as attention's output scales it, as in Qwen3-Next. Megatron: --attention-output-gate</source>
        <translation>Qwen3-Next のように、アテンションの出力と同じ幅の積で出力を調整します。Megatron: --attention-output-gate</translation>
    </message>
    <message>
        <source>A product beside an all-reduce</source>
        <translation>all-reduce と並行する行列積</translation>
    </message>
    <message>
        <source>A product beside an all-reduce hid {1} of the shorter one here; "{2}" is taken to hide up to {3}, which stays as it was: it depends on how that software does it.</source>
        <translation>ここでは、all-reduce と並べた行列積が、短いほうの {1} を隠しました。「{2}」は最大 {3} を隠すものとしており、その値はそのままです。どれだけ隠れるかはソフトウェアの方法によります。</translation>
    </message>
    <message>
        <source>A query sees its own chunk instead of the last tokens, as in Llama 4. Hugging Face: attention_chunk_size</source>
        <translation>クエリは直前のトークンではなく自分のチャンクを見ます（Llama 4）。Hugging Face: attention_chunk_size</translation>
    </message>
    <message>
        <source>A root-mean-square norm is one kernel; off: one operation after the other, in fp32</source>
        <translation>RMS 正規化を 1 個のカーネルで行う。オフ: 演算を 1 つずつ fp32 で行う</translation>
    </message>
    <message>
        <source>A run</source>
        <translation>1 実行</translation>
    </message>
    <message>
        <source>A saved plan, in a tab of its own</source>
        <translation>保存した計画を別のタブに開きます</translation>
    </message>
    <message>
        <source>A search begins where the whole 95 % interval of the median step is further from the prediction</source>
        <translation>ステップ中央値の 95 % 区間全体が予測からこれ以上離れたときに探索を始めます</translation>
    </message>
    <message>
        <source>A search for a running job; what it found up to now is lost.</source>
        <translation>実行中のジョブのための探索。これまでの結果は失われます。</translation>
    </message>
    <message>
        <source>A search of layouts; what it found up to now is lost.</source>
        <translation>並列構成の探索。これまでの結果は失われます。</translation>
    </message>
    <message>
        <source>A second mixer that starts from the same norm (Falcon-H1)</source>
        <translation>同じ正規化から始まる 2 つ目のミキサー (Falcon-H1)</translation>
    </message>
    <message>
        <source>A step of {1} is {2} times longer than the {3} that the model predicts.</source>
        <translation>1 ステップ {1} は、モデルの予測 {3} の {2} 倍です。</translation>
    </message>
    <message>
        <source>A step of {1} is {2} times shorter than the {3} that the model predicts.</source>
        <translation>1 ステップ {1} は、モデルの予測 {3} の {2} 分の 1 です。</translation>
    </message>
    <message>
        <source>A step of {1} would mean {2} times the devices' peak rate.</source>
        <translation>1 ステップ {1} はデバイスのピーク性能の {2} 倍に当たります。</translation>
    </message>
    <message>
        <source>A strategy of its own for every layer</source>
        <translation>層ごとの方式</translation>
    </message>
    <message>
        <source>A submission; whether the batch system took the job would not be known.</source>
        <translation>ジョブの投入。バッチシステムが受け付けたかどうか分からなくなります。</translation>
    </message>
    <message>
        <source>A sweep of the global batch and of the micro-batch: MFU, step, bubble and memory.</source>
        <translation>グローバルバッチとマイクロバッチを変えたときの MFU、ステップ、バブル、メモリ。</translation>
    </message>
    <message>
        <source>A table of your own runs, nodes and step_s: points beside the curves over nodes</source>
        <translation>自分の実行の表（nodes と step_s）。ノード数の曲線の横に点として描かれます</translation>
    </message>
    <message>
        <source>A table with step_s, or a log of the job; it can also be dropped here</source>
        <translation>step_s のある表か、ジョブのログです。ここにドロップすることもできます</translation>
    </message>
    <message>
        <source>A trained norm of every output of an adapted matrix. Every forward pass multiplies the adapters out. PEFT: use_dora</source>
        <translation>アダプターのある行列の出力ごとに学習するノルムです。順伝播のたびにアダプターを掛け合わせます。PEFT: use_dora</translation>
    </message>
    <message>
        <source>A trial keeps everything on the device: no offloading works.</source>
        <translation>試行ではすべてデバイスに置きます。オフロードは使えません。</translation>
    </message>
    <message>
        <source>A trial run; its log ends where it is stopped.</source>
        <translation>試行。ログは停止した時点で終わります。</translation>
    </message>
    <message>
        <source>Abla&amp;tions</source>
        <translation>アブレーション(&amp;T)</translation>
    </message>
    <message>
        <source>About Plimsoll</source>
        <translation>Plimsoll について</translation>
    </message>
    <message>
        <source>Accumulation bytes</source>
        <translation>蓄積のバイト数</translation>
    </message>
    <message>
        <source>Accumulation bytes, fp32</source>
        <translation>蓄積のバイト数、fp32</translation>
    </message>
    <message>
        <source>Achieved fraction</source>
        <translation>実効の割合</translation>
    </message>
    <message>
        <source>Achieved rate</source>
        <translation>実効速度</translation>
    </message>
    <message>
        <source>Achieved rate of {1}</source>
        <translation>{1} の実効速度</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>活性化関数</translation>
    </message>
    <message>
        <source>Activation functions and rotary positions run as single operations, each of which keeps its result</source>
        <translation>活性化関数と回転位置を個別の演算として実行し、それぞれの結果を保持します</translation>
    </message>
    <message>
        <source>Activation of the experts (moe_act), forward again</source>
        <translation>エキスパートの活性化 (moe_act)、順伝播の再計算</translation>
    </message>
    <message>
        <source>Activation share</source>
        <translation>アクティベーションの割合</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>アクティベーション</translation>
    </message>
    <message>
        <source>Activations between stages</source>
        <translation>ステージ間のアクティベーション</translation>
    </message>
    <message>
        <source>Activations between stages are split over the tensor ranks. Megatron: --scatter-gather-tensors-in-pipeline</source>
        <translation>ステージ間のアクティベーションをテンソルランクで分割します。Megatron: --scatter-gather-tensors-in-pipeline</translation>
    </message>
    <message>
        <source>Activations between tensor ranks</source>
        <translation>テンソルランク間のアクティベーション</translation>
    </message>
    <message>
        <source>Activations in fp8, two tensor ranks</source>
        <translation>アクティベーションを fp8 で、2 テンソルランク</translation>
    </message>
    <message>
        <source>Activations leave the devices by module (Megatron-Core); off: those of whole layers do</source>
        <translation>アクティベーションはモジュールごとにデバイスから出ます（Megatron-Core）。オフ: 層全体のものが出ます</translation>
    </message>
    <message>
        <source>Activations sent to</source>
        <translation>アクティベーションの送り先</translation>
    </message>
    <message>
        <source>Activations stay on the device</source>
        <translation>アクティベーションはデバイスに残ります</translation>
    </message>
    <message>
        <source>Activations stay on the devices</source>
        <translation>アクティベーションはデバイス上</translation>
    </message>
    <message>
        <source>Activations that stay</source>
        <translation>残るアクティベーション</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>動作分</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>稼働の度合い</translation>
    </message>
    <message>
        <source>Adam keeps two moments per parameter in fp32, 8-bit Adam two bytes, SGD one moment, Adafactor sums over rows and columns; K-FAC and Shampoo keep factors of every matrix and their inverses; Muon keeps one moment of matrices, makes it orthogonal, and leaves the rest to Adam; SOAP runs Adam in the basis of the eigenvectors of Shampoo's factors. Megatron: --optimizer</source>
        <translation>Adam はパラメーターごとに fp32 のモーメントを 2 つ、8 ビット Adam は 2 バイト、SGD はモーメント 1 つ、Adafactor は行と列の和を保持します。K-FAC と Shampoo は各行列の因子とその逆行列を保持します。Muon は行列のモーメントを 1 つ保持して直交化し、残りは Adam に任せます。SOAP は Shampoo の因子の固有ベクトルを基底として Adam を動かします。Megatron: --optimizer</translation>
    </message>
    <message>
        <source>Adam on the host</source>
        <translation>ホストでの Adam</translation>
    </message>
    <message>
        <source>Adapted matrices</source>
        <translation>アダプターを置く行列</translation>
    </message>
    <message>
        <source>Adapter multiplied out</source>
        <translation>掛け合わせたアダプター</translation>
    </message>
    <message>
        <source>Adapter of the feed-forward block, down</source>
        <translation>フィードフォワードブロックのアダプター（縮小）</translation>
    </message>
    <message>
        <source>Adapter of the feed-forward block, up</source>
        <translation>フィードフォワードブロックのアダプター（拡大）</translation>
    </message>
    <message>
        <source>Adapters of fused matrices</source>
        <translation>融合した行列のアダプター</translation>
    </message>
    <message>
        <source>Adapters of queries, keys, values, down</source>
        <translation>クエリ、キー、バリューのアダプター（縮小）</translation>
    </message>
    <message>
        <source>Adapters of queries, keys, values, up</source>
        <translation>クエリ、キー、バリューのアダプター（拡大）</translation>
    </message>
    <message>
        <source>Add a kind</source>
        <translation>種類を追加</translation>
    </message>
    <message>
        <source>Add measured scaling &amp;runs...</source>
        <translation>実測したスケーリングを追加(&amp;R)...</translation>
    </message>
    <message>
        <source>Add the job's energy...</source>
        <translation>ジョブのエネルギーを追加...</translation>
    </message>
    <message>
        <source>Added per bucket where it crosses nodes</source>
        <translation>ノードをまたぐときのバケットあたりの追加</translation>
    </message>
    <message>
        <source>Added per node where it crosses nodes</source>
        <translation>ノードをまたぐときのノードあたりの追加</translation>
    </message>
    <message>
        <source>Adding up the blocks of the ring</source>
        <translation>リングのブロックの加算</translation>
    </message>
    <message>
        <source>After a failure: notice it, replace the node, start the processes. Loading the checkpoint comes on top</source>
        <translation>障害後の検知、ノード交換、プロセスの起動。チェックポイントの読み込みは別に加わります</translation>
    </message>
    <message>
        <source>After the last backward pass</source>
        <translation>最後の逆伝播のあと</translation>
    </message>
    <message>
        <source>Against the device's rate</source>
        <translation>デバイスの速度に対する比</translation>
    </message>
    <message>
        <source>Against the machine's device: multiplies its arithmetic and its memory bandwidth</source>
        <translation>計算機のデバイスに対する比。演算とメモリ帯域に掛けます</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>Aim</source>
        <translation>目標</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全体</translation>
    </message>
    <message>
        <source>All but the experts</source>
        <translation>エキスパート以外</translation>
    </message>
    <message>
        <source>All cores (%1)</source>
        <translation>全コア (%1)</translation>
    </message>
    <message>
        <source>All else stays as it is, the layout too. What a larger batch costs in tokens for the same loss is the question "Is the batch too large?".</source>
        <translation>並列構成を含め、他はそのままです。同じ損失に達するために大きいバッチが何トークン余計に要るかは、質問「バッチは大きすぎるか」で分かります。</translation>
    </message>
    <message>
        <source>All matrices of the rank</source>
        <translation>ランクのすべての行列</translation>
    </message>
    <message>
        <source>All micro-batches</source>
        <translation>全マイクロバッチ</translation>
    </message>
    <message>
        <source>All nodes together</source>
        <translation>全ノード合計</translation>
    </message>
    <message>
        <source>All of the time</source>
        <translation>すべての時間</translation>
    </message>
    <message>
        <source>All of them on one sheet as well (PDF)</source>
        <translation>すべてを 1 枚のシート（PDF）にもまとめる</translation>
    </message>
    <message>
        <source>All open plans</source>
        <translation>開いているすべてのプラン</translation>
    </message>
    <message>
        <source>All pipeline schedules of the plan</source>
        <translation>計画のすべてのパイプラインスケジュール</translation>
    </message>
    <message>
        <source>All plans that are open, in one file</source>
        <translation>開いているすべての計画を1つのファイルに保存します</translation>
    </message>
    <message>
        <source>All reductions</source>
        <translation>すべての縮約</translation>
    </message>
    <message>
        <source>All reductions and gathers of a step</source>
        <translation>1 ステップの縮約と収集の全体</translation>
    </message>
    <message>
        <source>All rows read the plan's tokens; which of them reach the same loss is not known.</source>
        <translation>どの行も計画のトークン数を読みます。同じ損失に達するのがどれかは分かっていません。</translation>
    </message>
    <message>
        <source>All runs together, with their starts</source>
        <translation>すべての実行の合計（起動を含む）</translation>
    </message>
    <message>
        <source>All that is predicted to take at most the memory is ranked, what leaves too little headroom last. Above {1} of a device, what lives outside the allocator included, it may not fit, and above {2} it does not.</source>
        <translation>予測がメモリ以下のものをすべて順位づけし、余裕が足りないものを最後に置きます。アロケータの外にあるものを含めて、デバイスの {1} を超えると収まらないおそれがあり、{2} を超えると収まりません。</translation>
    </message>
    <message>
        <source>All weights, or adapters of low rank beside weights that stay as they are (LoRA): no gradients and no optimizer states of these, and 4 N FLOP of a token in place of 6 N</source>
        <translation>すべての重み、または固定した重みの横に置く低ランクのアダプター（LoRA）。固定した重みには勾配もオプティマイザー状態もなく、トークンあたり 6 N ではなく 4 N FLOP です</translation>
    </message>
    <message>
        <source>All {1} micro-batches of a step: they have {2}.</source>
        <translation>1 ステップの {1} 個のマイクロバッチすべて。短い実行は {2} 個です。</translation>
    </message>
    <message>
        <source>All-gather of keys and values</source>
        <translation>キーとバリューの all-gather</translation>
    </message>
    <message>
        <source>All-gather of keys to choose from</source>
        <translation>選択対象のキーの全集約</translation>
    </message>
    <message>
        <source>All-gather of states</source>
        <translation>状態の all-gather</translation>
    </message>
    <message>
        <source>All-gather of the updated weights</source>
        <translation>更新した重みの all-gather</translation>
    </message>
    <message>
        <source>All-reduce and all-gather for {1}</source>
        <translation>{1}の all-reduce と all-gather</translation>
    </message>
    <message>
        <source>All-reduce of the gradients</source>
        <translation>勾配の all-reduce</translation>
    </message>
    <message>
        <source>All-reduce of the gradients of {1}</source>
        <translation>{1}の勾配の all-reduce</translation>
    </message>
    <message>
        <source>All-reduces</source>
        <translation>All-reduce の回数</translation>
    </message>
    <message>
        <source>All-to-all</source>
        <translation>All-to-all</translation>
    </message>
    <message>
        <source>All-to-all efficiency</source>
        <translation>All-to-all の効率</translation>
    </message>
    <message>
        <source>All-to-all exposure</source>
        <translation>All-to-all の露出</translation>
    </message>
    <message>
        <source>All-to-all exposure in pairs</source>
        <translation>並んだパスの all-to-all の露出</translation>
    </message>
    <message>
        <source>All-to-all of the state's projections and output</source>
        <translation>状態の射影と出力の全対全通信</translation>
    </message>
    <message>
        <source>All-to-all start</source>
        <translation>All-to-all の開始</translation>
    </message>
    <message>
        <source>All-to-alls per layer</source>
        <translation>層あたりの all-to-all</translation>
    </message>
    <message>
        <source>All-to-alls per pass of a layer: dispatch and combine</source>
        <translation>層のパスあたりの all-to-all: dispatch と combine</translation>
    </message>
    <message>
        <source>Allocator: multiplies activations and buffers</source>
        <translation>アロケータ: アクティベーションとバッファに掛ける係数</translation>
    </message>
    <message>
        <source>Alone</source>
        <translation>単独で</translation>
    </message>
    <message>
        <source>Also settings that change neither &amp;time nor memory</source>
        <translation>時間にもメモリにも影響しない設定も表示(&amp;T)</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>量</translation>
    </message>
    <message>
        <source>An export of figures; the files that are written stay.</source>
        <translation>図の書き出し。書き終えたファイルは残ります。</translation>
    </message>
    <message>
        <source>An interrupted calibration</source>
        <translation>中断された較正</translation>
    </message>
    <message>
        <source>Anchored by {1}: {2}.</source>
        <translation>{1} の実測で補正: {2}。</translation>
    </message>
    <message>
        <source>And %1 more.</source>
        <translation>ほか %1 件。</translation>
    </message>
    <message>
        <source>Another kind of layer</source>
        <translation>層の種類の追加</translation>
    </message>
    <message>
        <source>Another number of nodes</source>
        <translation>別のノード数</translation>
    </message>
    <message>
        <source>Another source had</source>
        <translation>ほかの出典が測っていたもの</translation>
    </message>
    <message>
        <source>Another width</source>
        <translation>その他の幅</translation>
    </message>
    <message>
        <source>Answer to a question</source>
        <translation>質問への答え</translation>
    </message>
    <message>
        <source>Any use</source>
        <translation>一般の用途</translation>
    </message>
    <message>
        <source>Anything by name</source>
        <translation>名前で何でも探す</translation>
    </message>
    <message>
        <source>Apart</source>
        <translation>別扱い</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>適用</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>演算</translation>
    </message>
    <message>
        <source>As a trace for Perfetto, a table or a picture</source>
        <translation>Perfetto 用トレース、表、または画像として</translation>
    </message>
    <message>
        <source>As it stands</source>
        <translation>現在の計画</translation>
    </message>
    <message>
        <source>As many as heads for multi-head, fewer for grouped, 1 for multi-query attention. Megatron: --num-query-groups</source>
        <translation>マルチヘッドならヘッド数と同じ、グループ化なら少なく、マルチクエリなら 1。Megatron: --num-query-groups</translation>
    </message>
    <message>
        <source>As many as the limits pay for</source>
        <translation>制限内で最大の数</translation>
    </message>
    <message>
        <source>As many devices, nodes or FLOP/s of other machines, or the fewest of their devices that hold it, each with its best layout, its price and who measured it: 40 or 80 GB, Frontier or Fugaku.</source>
        <translation>ほかの計算機の同じ数のデバイス、ノード、FLOP/s、またはこれを保持できる最少のデバイスで、それぞれ最良の並列構成、価格、測定した人を示します。40 GB か 80 GB か、Frontier か富岳か。</translation>
    </message>
    <message>
        <source>As much time</source>
        <translation>同じ時間</translation>
    </message>
    <message>
        <source>As needed: half as much again as the runs are expected to take, and 5 minutes</source>
        <translation>必要なだけ: 実行の見込み時間の 1.5 倍に 5 分を加えたもの</translation>
    </message>
    <message>
        <source>As needed: those of one copy of the plan, at least two</source>
        <translation>必要なだけ: 計画の 1 コピー分、少なくとも 2 ノード</translation>
    </message>
    <message>
        <source>As opened</source>
        <translation>開いた時点</translation>
    </message>
    <message>
        <source>As the &amp;desktop</source>
        <translation>デスクトップに合わせる(&amp;D)</translation>
    </message>
    <message>
        <source>As usual</source>
        <translation>標準</translation>
    </message>
    <message>
        <source>Asked for in units of %2: %1, which are %3 node-hours.</source>
        <translation>申請量（単位 %2）：%1、すなわち %3 ノード時間。</translation>
    </message>
    <message>
        <source>Asked for: %1 node-hours.</source>
        <translation>申請量：%1 ノード時間。</translation>
    </message>
    <message>
        <source>At most 1 min</source>
        <translation>最長 1 分</translation>
    </message>
    <message>
        <source>At most 10 min</source>
        <translation>最長 10 分</translation>
    </message>
    <message>
        <source>At most 2 min</source>
        <translation>最長 2 分</translation>
    </message>
    <message>
        <source>At most 5 min</source>
        <translation>最長 5 分</translation>
    </message>
    <message>
        <source>At the lower end</source>
        <translation>下端での値</translation>
    </message>
    <message>
        <source>At the upper end</source>
        <translation>上端での値</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>アテンション</translation>
    </message>
    <message>
        <source>Attention and feed-forward block both start from the layer's input, so tensor ranks add up once a pass: GPT-J, GPT-NeoX, PaLM, Falcon</source>
        <translation>アテンションとフィードフォワードが同じ層入力から始まり、テンソルランクの総和はパスごとに 1 回: GPT-J、GPT-NeoX、PaLM、Falcon</translation>
    </message>
    <message>
        <source>Attention backward: share of the peak</source>
        <translation>アテンション逆伝播: ピーク比</translation>
    </message>
    <message>
        <source>Attention backward: the engine's kernel over the preset's</source>
        <translation>アテンション逆伝播: プリセットに対するエンジンのカーネルの比</translation>
    </message>
    <message>
        <source>Attention core (core_attn), forward again</source>
        <translation>アテンション本体 (core_attn)、順伝播の再計算</translation>
    </message>
    <message>
        <source>Attention core, forward again</source>
        <translation>アテンション本体、順伝播の再計算</translation>
    </message>
    <message>
        <source>Attention core, {1}</source>
        <translation>アテンション本体、{1}</translation>
    </message>
    <message>
        <source>Attention density</source>
        <translation>アテンション密度</translation>
    </message>
    <message>
        <source>Attention forward: share of the peak</source>
        <translation>アテンション順伝播: ピーク比</translation>
    </message>
    <message>
        <source>Attention forward: the engine's kernel over the preset's</source>
        <translation>アテンション順伝播: プリセットに対するエンジンのカーネルの比</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>アテンションヘッド</translation>
    </message>
    <message>
        <source>Attention input, after the norm</source>
        <translation>アテンション入力（正規化後）</translation>
    </message>
    <message>
        <source>Attention kernel</source>
        <translation>アテンションカーネル</translation>
    </message>
    <message>
        <source>Attention kernels</source>
        <translation>アテンションカーネル</translation>
    </message>
    <message>
        <source>Attention of PyTorch, where it is found</source>
        <translation>PyTorch のアテンション（見つかる場合）</translation>
    </message>
    <message>
        <source>Attention of {1} ({2})</source>
        <translation>{1} のアテンション（{2}）</translation>
    </message>
    <message>
        <source>Attention output</source>
        <translation>アテンション出力</translation>
    </message>
    <message>
        <source>Attention output bias</source>
        <translation>アテンション出力バイアス</translation>
    </message>
    <message>
        <source>Attention output by groups, down</source>
        <translation>グループ別のアテンション出力（縮小）</translation>
    </message>
    <message>
        <source>Attention output in the latent space</source>
        <translation>潜在空間でのアテンション出力</translation>
    </message>
    <message>
        <source>Attention output projection</source>
        <translation>アテンション出力射影</translation>
    </message>
    <message>
        <source>Attention output, converted</source>
        <translation>アテンションの出力（変換後）</translation>
    </message>
    <message>
        <source>Attention scores</source>
        <translation>アテンションスコア</translation>
    </message>
    <message>
        <source>Attention values</source>
        <translation>アテンションのバリュー</translation>
    </message>
    <message>
        <source>Attention window</source>
        <translation>アテンションの窓</translation>
    </message>
    <message>
        <source>Attention {1}, {2}</source>
        <translation>アテンション {1}、{2}</translation>
    </message>
    <message>
        <source>Attention, forward again</source>
        <translation>アテンション、順伝播の再計算</translation>
    </message>
    <message>
        <source>Attention: head size at half the rate</source>
        <translation>アテンション: 半値ヘッド</translation>
    </message>
    <message>
        <source>Attention: sequence at half the rate</source>
        <translation>アテンション: 半値系列長</translation>
    </message>
    <message>
        <source>Auto layout: off</source>
        <translation>自動構成: オフ</translation>
    </message>
    <message>
        <source>Auto layout: on</source>
        <translation>自動構成: オン</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自動</translation>
    </message>
    <message>
        <source>Automatic layout</source>
        <translation>自動並列構成</translation>
    </message>
    <message>
        <source>Automatic layout is off: this one was chosen by hand</source>
        <translation>自動並列構成はオフです。現在の構成は手動で選ばれました</translation>
    </message>
    <message>
        <source>Automatic layout: %1</source>
        <translation>自動並列構成: %1</translation>
    </message>
    <message>
        <source>Automatic: the fastest that fits</source>
        <translation>自動: 収まるうちで最速のもの</translation>
    </message>
    <message>
        <source>Average power</source>
        <translation>平均電力</translation>
    </message>
    <message>
        <source>Axes used, and domains joined</source>
        <translation>使う軸と結合する領域</translation>
    </message>
    <message>
        <source>Back to the plan of the next calibration; its file stays</source>
        <translation>次の較正の計画に戻ります。ファイルは残ります</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>逆伝播</translation>
    </message>
    <message>
        <source>Backward pass</source>
        <translation>逆伝播</translation>
    </message>
    <message>
        <source>Bandwidth a device has across the machine</source>
        <translation>計算機全体でのデバイスあたりの帯域</translation>
    </message>
    <message>
        <source>Bandwidth that hides FSDP at peak</source>
        <translation>ピーク時に FSDP を隠す帯域</translation>
    </message>
    <message>
        <source>Bandwidth that hides FSDP at the predicted rate</source>
        <translation>予測速度で FSDP を隠す帯域</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基準</translation>
    </message>
    <message>
        <source>Batch job</source>
        <translation>バッチジョブ</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>前</translation>
    </message>
    <message>
        <source>Before the activation function</source>
        <translation>活性化関数の前</translation>
    </message>
    <message>
        <source>Before the experts' activation function</source>
        <translation>エキスパートの活性化関数の前</translation>
    </message>
    <message>
        <source>Begin with a &amp;script or a log...</source>
        <translation>スクリプトかログから始める(&amp;S)...</translation>
    </message>
    <message>
        <source>Beside adapters, tables that are trained are copies of tables that stay (PEFT: modules_to_save)</source>
        <translation>アダプターとともに学習する表は、残る表の複製です（PEFT: modules_to_save）</translation>
    </message>
    <message>
        <source>Beside it</source>
        <translation>並ぶミキサー</translation>
    </message>
    <message>
        <source>Beside the curves over nodes now: %1 that you measured</source>
        <translation>ノード数の曲線の横に、実測した %1 を描いています</translation>
    </message>
    <message>
        <source>Beside the fp32 sums they are added to</source>
        <translation>加算先の fp32 の和とは別に保持します</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最良</translation>
    </message>
    <message>
        <source>Best layout</source>
        <translation>最良の構成</translation>
    </message>
    <message>
        <source>Best layout of each tensor x pipeline split</source>
        <translation>テンソル × パイプライン分割ごとの最良の構成</translation>
    </message>
    <message>
        <source>Best layout on every number of nodes</source>
        <translation>ノード数ごとの最良の構成</translation>
    </message>
    <message>
        <source>Best layout there</source>
        <translation>そこでの最良の構成</translation>
    </message>
    <message>
        <source>Best layout, or why none fits</source>
        <translation>最良の構成、または収まらない理由</translation>
    </message>
    <message>
        <source>Best trade-off</source>
        <translation>最良のトレードオフ</translation>
    </message>
    <message>
        <source>Best within all limits</source>
        <translation>全制限内で最良</translation>
    </message>
    <message>
        <source>Best: {1}, {2} a step</source>
        <translation>最良: {1}、1 ステップ {2}</translation>
    </message>
    <message>
        <source>Between stages</source>
        <translation>ステージ間</translation>
    </message>
    <message>
        <source>Between {1} and {2} predictions miss too often to tell.</source>
        <translation>{1} から {2} の間では、予測の外れが多く、判断できません。</translation>
    </message>
    <message>
        <source>Beyond compute, all layers and both ends</source>
        <translation>計算を超える分、全層と両端</translation>
    </message>
    <message>
        <source>Beyond it</source>
        <translation>それを超える部分</translation>
    </message>
    <message>
        <source>Beyond the device's own work</source>
        <translation>デバイス自身の処理を超える分</translation>
    </message>
    <message>
        <source>Beyond what hides it</source>
        <translation>隠れる分を超える量</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏り</translation>
    </message>
    <message>
        <source>Biases and norms</source>
        <translation>バイアスと正規化</translation>
    </message>
    <message>
        <source>Blocks of the input along a row</source>
        <translation>行に沿った入力ブロック</translation>
    </message>
    <message>
        <source>Blocks of the weights down a column</source>
        <translation>列に沿った重みブロック</translation>
    </message>
    <message>
        <source>Both passes of a micro-batch</source>
        <translation>1 マイクロバッチの両パス</translation>
    </message>
    <message>
        <source>Both passes of a micro-batch take %1 and keep %2.</source>
        <translation>1 マイクロバッチの両パスは %1 かかり、%2 を保持します。</translation>
    </message>
    <message>
        <source>Both passes of a micro-batch take %1.</source>
        <translation>1 マイクロバッチの両パスに %1 かかります。</translation>
    </message>
    <message>
        <source>Both passes of one</source>
        <translation>1 層の両パス</translation>
    </message>
    <message>
        <source>Branch beside the gate</source>
        <translation>ゲートと並ぶ枝</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>バブル</translation>
    </message>
    <message>
        <source>Bubble {1} of {2} in the pipeline.</source>
        <translation>パイプライン {2} のうちバブル {1}。</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>バケット</translation>
    </message>
    <message>
        <source>Buckets without a pipeline</source>
        <translation>パイプラインなしのバケット</translation>
    </message>
    <message>
        <source>Build Plimsoll again.</source>
        <translation>Plimsoll をもう一度ビルドしてください。</translation>
    </message>
    <message>
        <source>Busiest rank</source>
        <translation>最も忙しいランク</translation>
    </message>
    <message>
        <source>Busy time of the busiest stage</source>
        <translation>最も忙しいステージの稼働時間</translation>
    </message>
    <message>
        <source>But the steps differ so much that it may be within {1}: more of them would tell, nothing was searched.</source>
        <translation>ただしステップのばらつきが大きく、{1} 以内かもしれません。ステップを増やせば分かります。探索していません。</translation>
    </message>
    <message>
        <source>By</source>
        <translation>根拠</translation>
    </message>
    <message>
        <source>By device</source>
        <translation>デバイス別</translation>
    </message>
    <message>
        <source>By matrix</source>
        <translation>行列あたり</translation>
    </message>
    <message>
        <source>By parameter</source>
        <translation>パラメータあたり</translation>
    </message>
    <message>
        <source>By source</source>
        <translation>出典別</translation>
    </message>
    <message>
        <source>By the objective; - for layouts kept for another reason</source>
        <translation>目的による順位。別の理由で残した構成は -</translation>
    </message>
    <message>
        <source>By what is known</source>
        <translation>既知の範囲別</translation>
    </message>
    <message>
        <source>Bytes at the full rate</source>
        <translation>最高速度でのバイト数</translation>
    </message>
    <message>
        <source>Bytes held and touched</source>
        <translation>保持・参照するバイト数</translation>
    </message>
    <message>
        <source>Bytes moved</source>
        <translation>動かすバイト数</translation>
    </message>
    <message>
        <source>Bytes of an element</source>
        <translation>1 要素のバイト数</translation>
    </message>
    <message>
        <source>Bytes of one rank</source>
        <translation>1 ランクのバイト数</translation>
    </message>
    <message>
        <source>Bytes of the busiest rank</source>
        <translation>最も忙しいランクのバイト数</translation>
    </message>
    <message>
        <source>Bytes per element</source>
        <translation>要素あたりのバイト数</translation>
    </message>
    <message>
        <source>Bytes per layer and micro-batch</source>
        <translation>層とマイクロバッチあたりのバイト数</translation>
    </message>
    <message>
        <source>Bytes per logit</source>
        <translation>ロジットあたりのバイト数</translation>
    </message>
    <message>
        <source>Bytes per logit at the peak</source>
        <translation>ピークでのロジットあたりバイト数</translation>
    </message>
    <message>
        <source>Bytes per logit beyond those that stay</source>
        <translation>残る分を超えるロジットあたりのバイト</translation>
    </message>
    <message>
        <source>Bytes per logit that stay</source>
        <translation>残るロジットあたりバイト数</translation>
    </message>
    <message>
        <source>Bytes per parameter</source>
        <translation>パラメータあたりのバイト数</translation>
    </message>
    <message>
        <source>Bytes sent</source>
        <translation>送るバイト数</translation>
    </message>
    <message>
        <source>C / (T + C) of what failures leave, and T / (2 M) + R / M, first order</source>
        <translation>障害が残す時間の C / (T + C) と、T / (2 M) + R / M（1 次近似）</translation>
    </message>
    <message>
        <source>CP</source>
        <translation>CP</translation>
    </message>
    <message>
        <source>CUDA graph</source>
        <translation>CUDA グラフ</translation>
    </message>
    <message>
        <source>Ca&amp;ncel what runs</source>
        <translation>実行中の処理をキャンセル(&amp;N)</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>較正</translation>
    </message>
    <message>
        <source>Calibrate this computer</source>
        <translation>この計算機を較正</translation>
    </message>
    <message>
        <source>Calibrated on {1}. {2}</source>
        <translation>{1} に較正。{2}</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>較正</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Cancel job</source>
        <translation>ジョブを取り消す</translation>
    </message>
    <message>
        <source>Cancel now</source>
        <translation>今すぐキャンセル</translation>
    </message>
    <message>
        <source>Cancel: %1</source>
        <translation>キャンセル: %1</translation>
    </message>
    <message>
        <source>Cancelled: %1.</source>
        <translation>キャンセルしました: %1</translation>
    </message>
    <message>
        <source>Cancelled: this is what was found up to then. </source>
        <translation>中止しました。それまでの結果です。 </translation>
    </message>
    <message>
        <source>Cancelling after this step...</source>
        <translation>このステップの後にキャンセルします...</translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation>候補</translation>
    </message>
    <message>
        <source>Cannot be computed.</source>
        <translation>計算できません。</translation>
    </message>
    <message>
        <source>Capacity factor</source>
        <translation>容量係数</translation>
    </message>
    <message>
        <source>Carbon</source>
        <translation>CO2e</translation>
    </message>
    <message>
        <source>Carbon, embodied</source>
        <translation>炭素排出、製造</translation>
    </message>
    <message>
        <source>Carbon, operational</source>
        <translation>CO2e（運用）</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Cautions</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>Cautions and energy</source>
        <translation>注意とエネルギー</translation>
    </message>
    <message>
        <source>Cautions, energy, and what stays assumed</source>
        <translation>注意、エネルギー、仮定のままの項目</translation>
    </message>
    <message>
        <source>Ceiling of large products</source>
        <translation>大きな行列積の上限</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>差</translation>
    </message>
    <message>
        <source>Change to {1}: it saves at least {2} until the end, whichever reading of the measurements is right.</source>
        <translation>構成の変更を勧めます（{1}）: 測定のどの読み方が正しくても、終了までに少なくとも {2} 節約します。</translation>
    </message>
    <message>
        <source>Change to {1}: until the end it saves {2}, stopping and starting included.</source>
        <translation>構成の変更を勧めます（{1}）: 停止と再開を含めて終了までに {2} 節約します。</translation>
    </message>
    <message>
        <source>Changes are not saved</source>
        <translation>変更が保存されていません</translation>
    </message>
    <message>
        <source>Changes that help</source>
        <translation>有効な変更</translation>
    </message>
    <message>
        <source>Charged by device</source>
        <translation>デバイス単位で課金</translation>
    </message>
    <message>
        <source>Charged in units of {1}</source>
        <translation>課金単位 {1}</translation>
    </message>
    <message>
        <source>Chart as &amp;table</source>
        <translation>図を表に(&amp;T)</translation>
    </message>
    <message>
        <source>Chart: move the cursor point by point</source>
        <translation>図: カーソルを 1 点ずつ動かす</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>図</translation>
    </message>
    <message>
        <source>Charts &amp;only</source>
        <translation>図のみ(&amp;O)</translation>
    </message>
    <message>
        <source>Checking against published runs...</source>
        <translation>公表事例と照合しています...</translation>
    </message>
    <message>
        <source>Checklist</source>
        <translation>確認表</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>チェックポイント</translation>
    </message>
    <message>
        <source>Checkpoint interval</source>
        <translation>チェックポイント間隔</translation>
    </message>
    <message>
        <source>Checkpoint size</source>
        <translation>チェックポイントの大きさ</translation>
    </message>
    <message>
        <source>Checkpoint time</source>
        <translation>チェックポイントの時間</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>チェックポイント数</translation>
    </message>
    <message>
        <source>Checkpoints and failures take {1} of the time.</source>
        <translation>チェックポイントと障害は時間の {1} を占めます。</translation>
    </message>
    <message>
        <source>China</source>
        <translation>中国</translation>
    </message>
    <message>
        <source>Choices count at once and are kept between starts. Colours are in the View menu.</source>
        <translation>変更はすぐに反映され、次回の起動でも保たれます。配色は「表示」メニューにあります。</translation>
    </message>
    <message>
        <source>Choose a kind of file, or print.</source>
        <translation>ファイルの種類を選ぶか、印刷してください。</translation>
    </message>
    <message>
        <source>Choose a number to see the points it comes from.</source>
        <translation>数値を選ぶと、その根拠となる測定点を表示します。</translation>
    </message>
    <message>
        <source>Choose a preset</source>
        <translation>プリセットを選択</translation>
    </message>
    <message>
        <source>Choose an aim, set what must hold and tick what may change; failures and ends of jobs are counted. Where tokens may change most tokens win, and where the size may, the largest model; the aim decides among those.</source>
        <translation>目標を選び、守るべき制限を決め、変えてよいものにチェックを付けてください。障害とジョブの終了を含みます。トークン数を変えてよいときは最多のトークン、サイズを変えてよいときは最大のモデルが選ばれ、その中では目標で決まります。</translation>
    </message>
    <message>
        <source>Choose at least one figure.</source>
        <translation>図を 1 つ以上選んでください。</translation>
    </message>
    <message>
        <source>Choose the one that you know; the planner finds the others</source>
        <translation>分かっているものを選んでください。ほかはプランナーが求めます</translation>
    </message>
    <message>
        <source>Choosing layouts</source>
        <translation>構成の選択</translation>
    </message>
    <message>
        <source>Chunk</source>
        <translation>チャンク</translation>
    </message>
    <message>
        <source>Chunk %1: %2</source>
        <translation>チャンク %1: %2</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>チャンク</translation>
    </message>
    <message>
        <source>Chunks of a stage</source>
        <translation>ステージのチャンク数</translation>
    </message>
    <message>
        <source>Chunks of an interleaved schedule may differ in layers. Megatron: --pipeline-model-parallel-layout</source>
        <translation>インターリーブスケジュールのチャンクの層数が異なってもよい。Megatron: --pipeline-model-parallel-layout</translation>
    </message>
    <message>
        <source>Click a number to open it into its parts, down to the constants and their sources.</source>
        <translation>数値をクリックすると、定数と出典まで内訳をたどれます。</translation>
    </message>
    <message>
        <source>Click to see how this number comes about</source>
        <translation>クリックするとこの数値の導出を表示します</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Close the &amp;others</source>
        <translation>ほかを閉じる(&amp;O)</translation>
    </message>
    <message>
        <source>Close this plan</source>
        <translation>この計画を閉じる</translation>
    </message>
    <message>
        <source>Closed %1; Ctrl+Shift+R opens it again</source>
        <translation>%1を閉じました。Ctrl+Shift+Rで開き直せます</translation>
    </message>
    <message>
        <source>Closing the window stops what is still running.</source>
        <translation>ウィンドウを閉じると、まだ続いている処理を止めます。</translation>
    </message>
    <message>
        <source>Clouds</source>
        <translation>クラウド</translation>
    </message>
    <message>
        <source>Cluster {1}, {2}</source>
        <translation>クラスタ {1}、{2}</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>クラスタ</translation>
    </message>
    <message>
        <source>Co&amp;py</source>
        <translation>コピー(&amp;P)</translation>
    </message>
    <message>
        <source>Codec</source>
        <translation>コーデック</translation>
    </message>
    <message>
        <source>Codec speed</source>
        <translation>コーデックの速度</translation>
    </message>
    <message>
        <source>Codecs of all traffic at once (Xu et al. 2024): naive zfp everywhere, mzhybrid lossless but for gradients, zhybrid mild zfp but for gradients; custom is the table below</source>
        <translation>全通信のコーデックをまとめて設定 (Xu et al. 2024): naive はすべて zfp、mzhybrid は勾配以外を可逆圧縮、zhybrid は勾配以外を弱い zfp、custom は下の表</translation>
    </message>
    <message>
        <source>Collectives of a layer and pass that hosts held up by a pipeline's messages issue late, where the tensor group leaves its node</source>
        <translation>テンソルグループがノードをまたぐとき、パイプラインのメッセージに待たされたホストが遅れて発行する、層・パスあたりの集団通信の数</translation>
    </message>
    <message>
        <source>Collectives of data ranks</source>
        <translation>データランクの集団通信</translation>
    </message>
    <message>
        <source>Collectives of tensor ranks</source>
        <translation>テンソルランクの集団通信</translation>
    </message>
    <message>
        <source>Colours of the &amp;desktop</source>
        <translation>デスクトップの配色(&amp;D)</translation>
    </message>
    <message>
        <source>Comes from</source>
        <translation>出典</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>Common layouts</source>
        <translation>一般的な構成</translation>
    </message>
    <message>
        <source>Communication and overlap</source>
        <translation>通信と重ね合わせ</translation>
    </message>
    <message>
        <source>Communication buffers</source>
        <translation>通信バッファ</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Compare other layouts with this one instead of the current plan</source>
        <translation>現在の計画の代わりに、これと他の構成を比較します</translation>
    </message>
    <message>
        <source>Compare the plans</source>
        <translation>計画を比べる</translation>
    </message>
    <message>
        <source>Comparing this build with published runs...</source>
        <translation>このビルドを公表事例と照合しています...</translation>
    </message>
    <message>
        <source>Compression of keys</source>
        <translation>キーの圧縮</translation>
    </message>
    <message>
        <source>Compression ratio</source>
        <translation>圧縮率</translation>
    </message>
    <message>
        <source>Compression scheme</source>
        <translation>圧縮方式</translation>
    </message>
    <message>
        <source>Computed by this program from the runs that ship with it. Click to see every one</source>
        <translation>付属の公表事例からこのプログラムが計算しました。クリックすると一覧を表示します</translation>
    </message>
    <message>
        <source>Configurations and logs (*.sh *.slurm *.sbatch *.yaml *.yml *.toml *.json *.py *.args *.log *.out *.txt);;All files (*)</source>
        <translation>設定とログ (*.sh *.slurm *.sbatch *.yaml *.yml *.toml *.json *.py *.args *.log *.out *.txt);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Congestion by other jobs</source>
        <translation>ほかのジョブによる混雑</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>定数</translation>
    </message>
    <message>
        <source>Constant per step</source>
        <translation>ステップごとの定数</translation>
    </message>
    <message>
        <source>Constants from runs of my own</source>
        <translation>自分の実行から求めた定数</translation>
    </message>
    <message>
        <source>ConsumedEnergyRaw</source>
        <translation>ConsumedEnergyRaw</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>コンテキスト</translation>
    </message>
    <message>
        <source>Context attention</source>
        <translation>コンテキストのアテンション</translation>
    </message>
    <message>
        <source>Context parallel</source>
        <translation>コンテキスト並列</translation>
    </message>
    <message>
        <source>Context parallelism</source>
        <translation>コンテキスト並列</translation>
    </message>
    <message>
        <source>Context states</source>
        <translation>コンテキストの状態</translation>
    </message>
    <message>
        <source>Context the model was published with; a plan's own length is the recipe's</source>
        <translation>モデルの公表時のコンテキスト長。計画の系列長はレシピにあります</translation>
    </message>
    <message>
        <source>Context-parallel ranks</source>
        <translation>コンテキスト並列ランク</translation>
    </message>
    <message>
        <source>Context-parallel wait</source>
        <translation>コンテキスト並列の待ち</translation>
    </message>
    <message>
        <source>Continued to the plan's depth</source>
        <translation>計画の深さまで延長</translation>
    </message>
    <message>
        <source>Conversion of new weights</source>
        <translation>新しい重みの変換</translation>
    </message>
    <message>
        <source>Conversion of the weights</source>
        <translation>重みの変換</translation>
    </message>
    <message>
        <source>Conversion to the recipe's format</source>
        <translation>レシピの形式への変換</translation>
    </message>
    <message>
        <source>Converted weights alone</source>
        <translation>変換した重みだけ</translation>
    </message>
    <message>
        <source>Converted, by columns</source>
        <translation>変換後、列方向</translation>
    </message>
    <message>
        <source>Converted, by rows</source>
        <translation>変換後、行方向</translation>
    </message>
    <message>
        <source>Converts weights each micro-batch</source>
        <translation>重みをマイクロバッチごとに変換</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>畳み込み</translation>
    </message>
    <message>
        <source>Convolution and other vectors of the mixer</source>
        <translation>ミキサーの畳み込みとその他のベクトル</translation>
    </message>
    <message>
        <source>Cooling and losses</source>
        <translation>冷却と損失</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>コピーしました: %1</translation>
    </message>
    <message>
        <source>Copies between host and device</source>
        <translation>ホストとデバイスの間のコピー</translation>
    </message>
    <message>
        <source>Copies of a token</source>
        <translation>トークンの複製数</translation>
    </message>
    <message>
        <source>Copies of the gradients</source>
        <translation>勾配の写し</translation>
    </message>
    <message>
        <source>Copies of this plan with other numbers of layers: their errors are continued along the layers.</source>
        <translation>この計画の層数だけが異なるコピーです。誤差を層数に沿って外挿しました。</translation>
    </message>
    <message>
        <source>Copies the answer as text, with the table for a spreadsheet</source>
        <translation>答えを文字列として、表は表計算用にコピーします</translation>
    </message>
    <message>
        <source>Copies trained tables</source>
        <translation>学習する表を複製</translation>
    </message>
    <message>
        <source>Copy as &amp;Markdown</source>
        <translation>Markdown としてコピー(&amp;M)</translation>
    </message>
    <message>
        <source>Copy as LaTeX</source>
        <translation>LaTeX としてコピー</translation>
    </message>
    <message>
        <source>Copy as a &amp;picture</source>
        <translation>画像としてコピー(&amp;P)</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>テキストとしてコピー</translation>
    </message>
    <message>
        <source>Copy the &amp;numbers</source>
        <translation>数値をコピー(&amp;N)</translation>
    </message>
    <message>
        <source>Copy the folder to a file system of {1} that its compute nodes see.</source>
        <translation>フォルダを、{1} の計算ノードから見えるファイルシステムにコピーします。</translation>
    </message>
    <message>
        <source>Core-hours</source>
        <translation>コア時間</translation>
    </message>
    <message>
        <source>Core-hours, where they are known</source>
        <translation>コア時間（分かる場合）</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>費用</translation>
    </message>
    <message>
        <source>Cost and node-hours of the same devices follow from time</source>
        <translation>同じデバイスでの費用とノード時間は時間に比例します</translation>
    </message>
    <message>
        <source>Cost of the run</source>
        <translation>実行の費用</translation>
    </message>
    <message>
        <source>Cost, at most</source>
        <translation>費用（最大）</translation>
    </message>
    <message>
        <source>Count in the next &amp;unit</source>
        <translation>次の単位で数える(&amp;U)</translation>
    </message>
    <message>
        <source>Counted</source>
        <translation>数えたもの</translation>
    </message>
    <message>
        <source>Counted with %1 N FLOP a token</source>
        <translation>トークンあたり %1 N FLOP で数えます</translation>
    </message>
    <message>
        <source>Critical batch by {1}: {2} tokens; fitted on dense models of up to {3} parameters with Adam</source>
        <translation>{1} による臨界バッチ: {2} トークン。Adam で学習した {3} パラメータまでの密なモデルに当てはめたもの</translation>
    </message>
    <message>
        <source>Cross entropy</source>
        <translation>交差エントロピー</translation>
    </message>
    <message>
        <source>Cross-entropy bytes</source>
        <translation>交差エントロピーのバイト数</translation>
    </message>
    <message>
        <source>Crossing nodes</source>
        <translation>ノード越え</translation>
    </message>
    <message>
        <source>Crossing nodes, all ranks</source>
        <translation>ノード越え、全ランク</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>Ctrl+D keeps the marked %1 on top</source>
        <translation>Ctrl+D で印を付けた%1を先頭に固定します</translation>
    </message>
    <message>
        <source>Ctrl+K finds commands, inputs, models, machines, pages and numbers. The Help menu has this tour again.</source>
        <translation>Ctrl+K でコマンド、入力項目、モデル、計算機、ページ、数値を探せます。このツアーはヘルプメニューにもあります。</translation>
    </message>
    <message>
        <source>DP</source>
        <translation>DP</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>データ</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>データ並列</translation>
    </message>
    <message>
        <source>Data-parallel ranks: each trains on sequences of its own</source>
        <translation>データ並列ランク: それぞれ別の系列で学習します</translation>
    </message>
    <message>
        <source>Data-parallel replicas</source>
        <translation>データ並列のレプリカ数</translation>
    </message>
    <message>
        <source>Data-parallel wait</source>
        <translation>データ並列の待ち</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>日数</translation>
    </message>
    <message>
        <source>Days at peak, perfect scaling</source>
        <translation>ピーク速度と完全なスケーリングでの日数</translation>
    </message>
    <message>
        <source>Days, from an hour on</source>
        <translation>1 時間以上は日</translation>
    </message>
    <message>
        <source>Decay</source>
        <translation>減衰</translation>
    </message>
    <message>
        <source>Decay and gate, down</source>
        <translation>減衰とゲート、次元を下げる射影</translation>
    </message>
    <message>
        <source>Decay and gate, up</source>
        <translation>減衰とゲート、次元を上げる射影</translation>
    </message>
    <message>
        <source>Decide</source>
        <translation>比較と判断</translation>
    </message>
    <message>
        <source>Decoded weights</source>
        <translation>復号した重み</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>復号</translation>
    </message>
    <message>
        <source>Decoding of quantised weights</source>
        <translation>量子化した重みの復号</translation>
    </message>
    <message>
        <source>Decomposition every</source>
        <translation>分解の間隔</translation>
    </message>
    <message>
        <source>DeepSpeed keeps gradients where the optimizer's state is. Nearest: both on one tier.</source>
        <translation>DeepSpeed は勾配をオプティマイザ状態と同じ場所に置きます。最も近い値: 両方を同じ階層に。</translation>
    </message>
    <message>
        <source>DeepSpeed takes 1 for no second copy of the weights. Nearest: secondary shard 0, 2.</source>
        <translation>DeepSpeed では 1 は重みの 2 つ目の写しなしを意味します。最も近い値: 二次シャード 0, 2。</translation>
    </message>
    <message>
        <source>DeepSpeed's configuration</source>
        <translation>DeepSpeed の設定</translation>
    </message>
    <message>
        <source>DeepSpeed's configuration does not delay updates. Nearest: no delayed update.</source>
        <translation>DeepSpeed の設定は更新を遅延させません。最も近い値: 遅延更新なし。</translation>
    </message>
    <message>
        <source>DeepSpeed's configuration does not say which layers are recomputed; the model does. Nearest: recomputed layers 0.</source>
        <translation>どの層を再計算するかは、DeepSpeed の設定ではなくモデルが決めます。最も近い値: 再計算する層数 0。</translation>
    </message>
    <message>
        <source>DeepSpeed's configuration keeps activations on the device. Nearest: device.</source>
        <translation>DeepSpeed の設定は、アクティベーションをデバイスに置きます。最も近い値: device。</translation>
    </message>
    <message>
        <source>DeepSpeed-Megatron memory per device</source>
        <translation>DeepSpeed-Megatron のデバイスあたりメモリ</translation>
    </message>
    <message>
        <source>DeepSpeed-Megatron traffic per device and step</source>
        <translation>DeepSpeed-Megatron のデバイス・ステップあたり通信量</translation>
    </message>
    <message>
        <source>Deeper probes suffer less from it: those of {1} and {2} layers leave {3}.</source>
        <translation>より深い試験実行はその影響が小さくなります。{1} 層と {2} 層では {3} が残ります。</translation>
    </message>
    <message>
        <source>Delayed update</source>
        <translation>遅延更新</translation>
    </message>
    <message>
        <source>Delete "%1" with all that was measured?</source>
        <translation>「%1」を測定結果ごと削除しますか？</translation>
    </message>
    <message>
        <source>Delete these changes? They are nowhere else.</source>
        <translation>この変更を削除しますか？ほかにはありません。</translation>
    </message>
    <message>
        <source>Deletes its file</source>
        <translation>ファイルを削除します</translation>
    </message>
    <message>
        <source>Dense block (mlp), forward again</source>
        <translation>密なブロック (mlp)、順伝播の再計算</translation>
    </message>
    <message>
        <source>Dense layers</source>
        <translation>密な層</translation>
    </message>
    <message>
        <source>Dense models</source>
        <translation>密モデル</translation>
    </message>
    <message>
        <source>Dense models by what another source had measured: %1. </source>
        <translation>ほかの出典が測っていたもので分けた密モデル: %1。</translation>
    </message>
    <message>
        <source>Dense peak of one device in this format; 0 where it has none</source>
        <translation>1 デバイスのこの形式での密行列ピーク。なければ 0</translation>
    </message>
    <message>
        <source>Departure that counts</source>
        <translation>有意とみなす差</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>Device energy</source>
        <translation>デバイスの消費電力量</translation>
    </message>
    <message>
        <source>Device energy of the run</source>
        <translation>実行のデバイス消費電力量</translation>
    </message>
    <message>
        <source>Device idle power</source>
        <translation>デバイスの待機電力</translation>
    </message>
    <message>
        <source>Device memory</source>
        <translation>デバイスメモリ</translation>
    </message>
    <message>
        <source>Device memory by kind of layer</source>
        <translation>層の種類ごとのデバイスメモリ</translation>
    </message>
    <message>
        <source>Device memory to keep &amp;free:</source>
        <translation>空けておくデバイスメモリ(&amp;F):</translation>
    </message>
    <message>
        <source>Device memory to keep free</source>
        <translation>空けておくデバイスメモリ</translation>
    </message>
    <message>
        <source>Device power limit</source>
        <translation>デバイスの電力上限</translation>
    </message>
    <message>
        <source>Device work</source>
        <translation>デバイスの処理</translation>
    </message>
    <message>
        <source>Device work without gaps</source>
        <translation>隙間を除くデバイスの処理</translation>
    </message>
    <message>
        <source>Device-hours</source>
        <translation>デバイス時間</translation>
    </message>
    <message>
        <source>Device-hours at 40 % of peak</source>
        <translation>ピークの 40 % でのデバイス時間</translation>
    </message>
    <message>
        <source>Device-seconds per step</source>
        <translation>1 ステップのデバイス秒</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>デバイス数</translation>
    </message>
    <message>
        <source>Devices a node: {1}</source>
        <translation>ノードあたりのデバイス数: {1}</translation>
    </message>
    <message>
        <source>Devices in use, N = t c d p. Data parallelism takes what the other degrees leave. Megatron: world size</source>
        <translation>使用するデバイス数 N = t c d p。ほかの並列数の残りをデータ並列にします。Megatron: world size</translation>
    </message>
    <message>
        <source>Devices keep master weights</source>
        <translation>デバイスがマスター重みを保持</translation>
    </message>
    <message>
        <source>Devices only</source>
        <translation>デバイスのみ</translation>
    </message>
    <message>
        <source>Devices per node</source>
        <translation>ノードあたりのデバイス数</translation>
    </message>
    <message>
        <source>Devices that share each layer's matrices, t. Best kept inside a node. Megatron: --tensor-model-parallel-size</source>
        <translation>各層の行列を分担するデバイス数 t。ノード内に収めるのが最善です。Megatron: --tensor-model-parallel-size</translation>
    </message>
    <message>
        <source>Devices that share each sequence, c; each works on s / c tokens. Megatron: --context-parallel-size; DeepSpeed-Ulysses: sequence parallel size</source>
        <translation>各系列を分担するデバイス数 c。それぞれ s / c トークンを処理します。Megatron: --context-parallel-size、DeepSpeed-Ulysses: sequence parallel size</translation>
    </message>
    <message>
        <source>Devices that share one expert's matrices; the experts' replicas are what remains, t c d / (e x this). Megatron: --expert-tensor-parallel-size</source>
        <translation>1 エキスパートの行列を分担するデバイス数。残りがレプリカ t c d / (e x この値) になります。Megatron: --expert-tensor-parallel-size</translation>
    </message>
    <message>
        <source>Devices that share the experts of a mixture, e: some of the tensor x context x data ranks of a stage. Megatron: --expert-model-parallel-size</source>
        <translation>エキスパートを分担するデバイス数 e。ステージのテンソル x コンテキスト x データランクの一部です。Megatron: --expert-model-parallel-size</translation>
    </message>
    <message>
        <source>Devices: {1}</source>
        <translation>デバイス数: {1}</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>破棄</translation>
    </message>
    <message>
        <source>Discard a calibration</source>
        <translation>較正結果の破棄</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>変更を破棄</translation>
    </message>
    <message>
        <source>Disturbances</source>
        <translation>外乱</translation>
    </message>
    <message>
        <source>Disturbed</source>
        <translation>外乱あり</translation>
    </message>
    <message>
        <source>Disturbed, left out</source>
        <translation>外乱のため除外</translation>
    </message>
    <message>
        <source>Document length</source>
        <translation>文書の長さ</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文書</translation>
    </message>
    <message>
        <source>Documents of the data set: with the epochs and their mean length they are the tokens of the run; 0: training tokens are stated</source>
        <translation>データセットの文書数。エポックと平均の長さとともに実行のトークンになります。0: 学習トークン数を示します</translation>
    </message>
    <message>
        <source>Does a larger batch raise the MFU?</source>
        <translation>バッチを大きくすると MFU は上がるか</translation>
    </message>
    <message>
        <source>Does not count</source>
        <translation>対象外</translation>
    </message>
    <message>
        <source>Does not fit below the devices.</source>
        <translation>デバイスより下の階層に収まりません。</translation>
    </message>
    <message>
        <source>Does not fit in memory.</source>
        <translation>メモリに収まりません。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>Drag the nodes</source>
        <translation>ノード数を動かす</translation>
    </message>
    <message>
        <source>Driver, libraries, communicators, per device</source>
        <translation>ドライバ、ライブラリ、コミュニケータ。デバイスあたり</translation>
    </message>
    <message>
        <source>Drives</source>
        <translation>ドライブ数</translation>
    </message>
    <message>
        <source>Drives and updates of the host</source>
        <translation>ドライブとホストでの更新</translation>
    </message>
    <message>
        <source>Drives last</source>
        <translation>ドライブの寿命</translation>
    </message>
    <message>
        <source>Drives, one after the other</source>
        <translation>ドライブ、順に</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>ドロップアウト</translation>
    </message>
    <message>
        <source>Dropout masks</source>
        <translation>ドロップアウトのマスク</translation>
    </message>
    <message>
        <source>Dropout of adapters</source>
        <translation>アダプターのドロップアウト</translation>
    </message>
    <message>
        <source>E&amp;valuations</source>
        <translation>評価(&amp;V)</translation>
    </message>
    <message>
        <source>E&amp;xamples</source>
        <translation>例(&amp;X)</translation>
    </message>
    <message>
        <source>EP</source>
        <translation>EP</translation>
    </message>
    <message>
        <source>Each a four-hundredth of the first plan's training</source>
        <translation>それぞれ最初の計画の学習の 400 分の 1</translation>
    </message>
    <message>
        <source>Each change of the layout, and of what is trained, that needs less memory: what it brings, and its price in tokens/s.</source>
        <translation>メモリが減る、並列構成と学習対象の変更をそれぞれ示します。得られるものと、毎秒のトークン数での代償です。</translation>
    </message>
    <message>
        <source>Each device's share per direction across the whole machine</source>
        <translation>計算機全体での各デバイスの片方向の帯域</translation>
    </message>
    <message>
        <source>Each device's share per direction between the cluster's nodes when all of them send</source>
        <translation>全デバイスが送るときの、クラスタのノード間での各デバイスの片方向の帯域</translation>
    </message>
    <message>
        <source>Each device's share per direction inside its node</source>
        <translation>ノード内での各デバイスの片方向の帯域</translation>
    </message>
    <message>
        <source>Each device's share per direction when all send across this level</source>
        <translation>すべてのデバイスがこの階層を越えて送るときの、デバイスあたり片方向の帯域</translation>
    </message>
    <message>
        <source>Each layer's own</source>
        <translation>各層が自分で持つもの</translation>
    </message>
    <message>
        <source>Each machine has its best layout of the common choices; the software stays the plan's. Published runs are those of this software on the device of the row: without one the prediction rests on other devices alone.</source>
        <translation>各計算機は、一般的な選択肢のうち最良の並列構成で計算しています。ソフトウェアは計画のままです。公表された実行とは、その行のデバイスでのこのソフトウェアの実行です。それがない場合、予測は他のデバイスだけに基づきます。</translation>
    </message>
    <message>
        <source>Each machine has the fewest of its devices on which a layout fits, those with the least memory in all first.</source>
        <translation>各計算機では、並列構成が収まる最少のデバイス数です。合計のメモリが最も少ないものが先です。</translation>
    </message>
    <message>
        <source>Each point is the mean of {1} steps.</source>
        <translation>各点は {1} ステップの平均です。</translation>
    </message>
    <message>
        <source>Each source predicted without its own rows, median over sources: step time %1, memory %2, mixtures of experts %3. </source>
        <translation>各出典を自身の行なしで予測した誤差（出典間の中央値）: ステップ時間 %1、メモリ %2、MoE %3。 </translation>
    </message>
    <message>
        <source>Each stage starts its next step when it is done; the optimizer step is validated afterwards.</source>
        <translation>各ステージは終わり次第次のステップを始めます。オプティマイザステップの検証はその後です。</translation>
    </message>
    <message>
        <source>Eager layers</source>
        <translation>逐次実行の層</translation>
    </message>
    <message>
        <source>Earliest end</source>
        <translation>最も早い終了</translation>
    </message>
    <message>
        <source>Earliest end for these node-hours</source>
        <translation>このノード時間での最も早い終了</translation>
    </message>
    <message>
        <source>Edit it in %1</source>
        <translation>%1 で入力する</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>効率</translation>
    </message>
    <message>
        <source>Efficiency of kernels</source>
        <translation>カーネルの効率</translation>
    </message>
    <message>
        <source>Efficiency of large products</source>
        <translation>大きな行列積の効率</translation>
    </message>
    <message>
        <source>Either way: meant to hold two runs of three</source>
        <translation>上下それぞれの幅。実行の 3 件に 2 件を含むはずの範囲</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>Elapsed</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>要素数</translation>
    </message>
    <message>
        <source>Elements of one query or key norm; 0 without. Megatron: --qk-layernorm</source>
        <translation>1 つのクエリまたはキー正規化の要素数。なければ 0。Megatron: --qk-layernorm</translation>
    </message>
    <message>
        <source>Elementwise</source>
        <translation>要素演算</translation>
    </message>
    <message>
        <source>Elementwise factor</source>
        <translation>要素演算の係数</translation>
    </message>
    <message>
        <source>Elementwise work against its bytes</source>
        <translation>バイト数に対する要素演算</translation>
    </message>
    <message>
        <source>Elementwise, forward again</source>
        <translation>要素演算、順伝播の再計算</translation>
    </message>
    <message>
        <source>Embedding and head are trained besides, with full states. PEFT: modules_to_save</source>
        <translation>埋め込みとヘッドも、すべての状態を持って学習します。PEFT: modules_to_save</translation>
    </message>
    <message>
        <source>Embedding norm</source>
        <translation>埋め込みの正規化</translation>
    </message>
    <message>
        <source>Embedding, added up down a column</source>
        <translation>埋め込み、列方向の加算</translation>
    </message>
    <message>
        <source>Embedding, backward</source>
        <translation>埋め込み、逆伝播</translation>
    </message>
    <message>
        <source>Embedding, forward</source>
        <translation>埋め込み、順伝播</translation>
    </message>
    <message>
        <source>Embedding, head, loss</source>
        <translation>埋め込み、ヘッド、損失</translation>
    </message>
    <message>
        <source>Embeddings, positions, final norm</source>
        <translation>埋め込み、位置、最終正規化</translation>
    </message>
    <message>
        <source>Embodied factor</source>
        <translation>製造の排出係数</translation>
    </message>
    <message>
        <source>En&amp;ds by</source>
        <translation>終了期限(&amp;D)</translation>
    </message>
    <message>
        <source>Encoded shares exchanged</source>
        <translation>符号化した分担の交換</translation>
    </message>
    <message>
        <source>Encoded sums gathered</source>
        <translation>符号化した和の収集</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>符号化</translation>
    </message>
    <message>
        <source>Encodings and decodings</source>
        <translation>符号化と復号</translation>
    </message>
    <message>
        <source>End</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>両端</translation>
    </message>
    <message>
        <source>Ends it after this step, pressed again at once; what is complete is kept</source>
        <translation>このステップの後に終了します。もう一度押すとすぐに終了します。完了した分は保存されます</translation>
    </message>
    <message>
        <source>Ends of jobs</source>
        <translation>ジョブの終了</translation>
    </message>
    <message>
        <source>Endurance</source>
        <translation>耐久性</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>エネルギー</translation>
    </message>
    <message>
        <source>Energy efficiency</source>
        <translation>電力効率</translation>
    </message>
    <message>
        <source>Energy of a step</source>
        <translation>1 ステップの電力量</translation>
    </message>
    <message>
        <source>Energy of the devices</source>
        <translation>デバイスの消費電力量</translation>
    </message>
    <message>
        <source>Energy of the facility</source>
        <translation>施設の消費電力量</translation>
    </message>
    <message>
        <source>Energy of the facility %1, %2; average power %3; %4</source>
        <translation>施設全体の消費電力量 %1、%2、平均電力 %3、%4</translation>
    </message>
    <message>
        <source>Energy of the run</source>
        <translation>実行の消費電力量</translation>
    </message>
    <message>
        <source>Energy, devices only</source>
        <translation>電力量、デバイスのみ</translation>
    </message>
    <message>
        <source>Energy, facility</source>
        <translation>施設の電力量</translation>
    </message>
    <message>
        <source>Energy, money and carbon</source>
        <translation>電力量、費用、炭素排出</translation>
    </message>
    <message>
        <source>Energy: %1</source>
        <translation>エネルギー: %1</translation>
    </message>
    <message>
        <source>Engine, micro-batches after the first</source>
        <translation>エンジン、2 つ目以降のマイクロバッチ</translation>
    </message>
    <message>
        <source>Enter or a double click opens a copy; the example stays as it is.</source>
        <translation>Enter またはダブルクリックで写しを開きます。計画例は変わりません。</translation>
    </message>
    <message>
        <source>Enter or double-click explains it</source>
        <translation>Enter またはダブルクリックで内訳を表示します</translation>
    </message>
    <message>
        <source>Entropy of the data</source>
        <translation>データのエントロピー</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>エポック</translation>
    </message>
    <message>
        <source>Equal share</source>
        <translation>均等な分担</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>誤差</translation>
    </message>
    <message>
        <source>Error feedback</source>
        <translation>誤差フィードバック</translation>
    </message>
    <message>
        <source>Error of the predicted device memory, where it was published. Sorts by size</source>
        <translation>デバイスメモリの予測誤差（公表されている場合）。大きさ順に並べ替えます</translation>
    </message>
    <message>
        <source>Error of the predicted time of a step: positive is predicted too slow. Sorts by size</source>
        <translation>ステップ時間の予測誤差。正は遅く予測したことを示します。大きさ順に並べ替えます</translation>
    </message>
    <message>
        <source>Error, rank %1: %2</source>
        <translation>エラー、ランク %1: %2</translation>
    </message>
    <message>
        <source>Error: %1</source>
        <translation>エラー: %1</translation>
    </message>
    <message>
        <source>Errors by %1</source>
        <translation>%1別の誤差</translation>
    </message>
    <message>
        <source>Errors by device</source>
        <translation>デバイス別の誤差</translation>
    </message>
    <message>
        <source>Errors by source</source>
        <translation>出典別の誤差</translation>
    </message>
    <message>
        <source>Errors by what another source had measured</source>
        <translation>ほかの出典が測っていたもの別の誤差</translation>
    </message>
    <message>
        <source>Errors of comparable runs, in constants and mechanisms together; nearest: {1} {2}</source>
        <translation>似た実行の誤差(定数と仕組みの両方)。最も近いもの: {1} {2}</translation>
    </message>
    <message>
        <source>Errors of the prediction</source>
        <translation>予測の誤差</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Every attempt has a line in %1.</source>
        <translation>すべての試行が %1 に 1 行ずつ記録されています。</translation>
    </message>
    <message>
        <source>Every axis the cost model knows: context and expert degrees, schedules, ZeRO stages, uneven stages, tensor modes</source>
        <translation>コストモデルが扱うすべての軸: コンテキストとエキスパートの並列数、スケジュール、ZeRO ステージ、不均等なステージ、テンソルモード</translation>
    </message>
    <message>
        <source>Every further token passes the same module again. Megatron: --mtp-use-repeated-layer</source>
        <translation>先のトークンごとに同じモジュールをもう一度通ります。Megatron: --mtp-use-repeated-layer</translation>
    </message>
    <message>
        <source>Every layout</source>
        <translation>すべての構成</translation>
    </message>
    <message>
        <source>Every layout of the plan's devices, priced as the machine turned out, beside the window</source>
        <translation>計画のデバイスのすべての構成を、判明した計算機の性能で並行して評価します</translation>
    </message>
    <message>
        <source>Every layout of {1} that fits in the memory of {2} is tight.</source>
        <translation>{1} の並列構成で {2} のメモリに収まるものは、どれも余裕がない。</translation>
    </message>
    <message>
        <source>Every schedule has the plan's stages; those with chunks have the plan's number of them where they can, else two. Memory is that of the fullest stage.</source>
        <translation>ステージ数はどのスケジュールでも計画のままです。チャンクを持つものは、可能なら計画のチャンク数、そうでなければ 2 つです。メモリは最も詰まったステージの値です。</translation>
    </message>
    <message>
        <source>Every way to spread the plan over its devices, priced.</source>
        <translation>この計画を配置するすべての方法と、その予測値です。</translation>
    </message>
    <message>
        <source>Everything else</source>
        <translation>そのほか</translation>
    </message>
    <message>
        <source>Everything is in %1</source>
        <translation>すべて %1 にあります</translation>
    </message>
    <message>
        <source>Everything is on the device</source>
        <translation>すべてデバイス上</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>根拠</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>計画例</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>計画例</translation>
    </message>
    <message>
        <source>Examples are a number such as 50k.</source>
        <translation>例の数は 50k のような数です。</translation>
    </message>
    <message>
        <source>Examples, by what they answer</source>
        <translation>計画例（答える問い別）</translation>
    </message>
    <message>
        <source>Examples:</source>
        <translation>例：</translation>
    </message>
    <message>
        <source>Exchange width ratio</source>
        <translation>交換幅の比</translation>
    </message>
    <message>
        <source>Exchanges</source>
        <translation>交換回数</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>除外</translation>
    </message>
    <message>
        <source>Excluded (%1)</source>
        <translation>除外 (%1)</translation>
    </message>
    <message>
        <source>Excluded, as</source>
        <translation>除外数</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>見込み</translation>
    </message>
    <message>
        <source>Expected failures</source>
        <translation>見込まれる障害数</translation>
    </message>
    <message>
        <source>Expert all-to-all</source>
        <translation>エキスパート all-to-all</translation>
    </message>
    <message>
        <source>Expert all-to-all per step</source>
        <translation>1 ステップのエキスパート all-to-all</translation>
    </message>
    <message>
        <source>Expert order</source>
        <translation>エキスパートの順序</translation>
    </message>
    <message>
        <source>Expert parallel</source>
        <translation>エキスパート並列</translation>
    </message>
    <message>
        <source>Expert tensor parallel</source>
        <translation>エキスパートのテンソル並列</translation>
    </message>
    <message>
        <source>Expert width</source>
        <translation>エキスパートの幅</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>エキスパート数</translation>
    </message>
    <message>
        <source>Experts are padded up to the capacity; off: they work on as many tokens as come, up to it. Megatron: --moe-pad-expert-input-to-capacity</source>
        <translation>エキスパートを容量まで埋めます。オフでは、容量を上限として届いたトークンだけを処理します。Megatron: --moe-pad-expert-input-to-capacity</translation>
    </message>
    <message>
        <source>Experts every</source>
        <translation>エキスパートの間隔</translation>
    </message>
    <message>
        <source>Experts every token passes (DeepSeekMoE)</source>
        <translation>すべてのトークンが通るエキスパート (DeepSeekMoE)</translation>
    </message>
    <message>
        <source>Experts in</source>
        <translation>エキスパート入力側</translation>
    </message>
    <message>
        <source>Experts of one layer</source>
        <translation>1 層のエキスパート</translation>
    </message>
    <message>
        <source>Experts of this rank</source>
        <translation>このランクのエキスパート</translation>
    </message>
    <message>
        <source>Experts out</source>
        <translation>エキスパート出力側</translation>
    </message>
    <message>
        <source>Experts per token</source>
        <translation>トークンあたりのエキスパート</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>内訳</translation>
    </message>
    <message>
        <source>Export cancelled: %1 of %2 files are written</source>
        <translation>書き出しを中止しました: %2 個中 %1 個のファイルを書きました</translation>
    </message>
    <message>
        <source>Export figures</source>
        <translation>図の書き出し</translation>
    </message>
    <message>
        <source>Export table...</source>
        <translation>表を書き出す...</translation>
    </message>
    <message>
        <source>Export the figures into a folder</source>
        <translation>図をフォルダーに書き出す</translation>
    </message>
    <message>
        <source>Export the proof into a folder</source>
        <translation>検証表をフォルダに書き出す</translation>
    </message>
    <message>
        <source>Exposed sends</source>
        <translation>露出する送信</translation>
    </message>
    <message>
        <source>Exposed share</source>
        <translation>露出の割合</translation>
    </message>
    <message>
        <source>Exposed share of passes side by side</source>
        <translation>並んだパスの露出する割合</translation>
    </message>
    <message>
        <source>Extra per layer and pass with tensor parallelism</source>
        <translation>テンソル並列での層とパスあたりの追加</translation>
    </message>
    <message>
        <source>Extra per layer with experts and forward pass, twice this backward</source>
        <translation>エキスパート層の順伝播ごとの追加。逆伝播は 2 倍</translation>
    </message>
    <message>
        <source>Extra per layer, pass and tensor rank where a pipeline spans nodes</source>
        <translation>パイプラインがノードをまたぐときの、層・パス・テンソルランクあたりの追加</translation>
    </message>
    <message>
        <source>Extra tokens</source>
        <translation>余分なトークン</translation>
    </message>
    <message>
        <source>Extrapolated: %1.</source>
        <translation>外挿: %1。</translation>
    </message>
    <message>
        <source>Extrapolated: %1; and %2 more.</source>
        <translation>外挿: %1、ほか %2 件。</translation>
    </message>
    <message>
        <source>F&amp;or</source>
        <translation>用途(&amp;O)</translation>
    </message>
    <message>
        <source>F&amp;orget measured runs</source>
        <translation>登録した実測を忘れる(&amp;O)</translation>
    </message>
    <message>
        <source>FLOP at D = 20 P</source>
        <translation>D = 20 P での FLOP</translation>
    </message>
    <message>
        <source>FSDP</source>
        <translation>FSDP</translation>
    </message>
    <message>
        <source>FSDP memory per device</source>
        <translation>FSDP のデバイスあたりメモリ</translation>
    </message>
    <message>
        <source>FSDP shards gradients with the optimizer's state. Nearest: ZeRO stage 0, 2, 3.</source>
        <translation>FSDP は勾配をオプティマイザ状態とともにシャーディングします。最も近い値: ZeRO ステージ 0, 2, 3。</translation>
    </message>
    <message>
        <source>FSDP traffic per device and step</source>
        <translation>FSDP のデバイス・ステップあたり通信量</translation>
    </message>
    <message>
        <source>FSDP's arguments here keep everything on the device. Nearest: no offloading.</source>
        <translation>ここでの FSDP の引数は、すべてをデバイスに置きます。最も近い値: オフロードなし。</translation>
    </message>
    <message>
        <source>FSDP's checkpoint wrapper takes whole layers. Nearest: full recompute, or none with fused attention.</source>
        <translation>FSDP の checkpoint wrapper は層全体を対象とします。最も近い値: 全体を再計算、または融合アテンションで再計算なし。</translation>
    </message>
    <message>
        <source>FSDP: max(compute, comm) + tax x min(compute, comm)</source>
        <translation>FSDP: max(計算, 通信) + 負担 x min(計算, 通信)</translation>
    </message>
    <message>
        <source>Facility</source>
        <translation>施設</translation>
    </message>
    <message>
        <source>Facility energy of the run</source>
        <translation>実行の施設消費電力量</translation>
    </message>
    <message>
        <source>Facility power over IT power</source>
        <translation>施設電力 / IT 電力</translation>
    </message>
    <message>
        <source>Factor block</source>
        <translation>因子ブロック</translation>
    </message>
    <message>
        <source>Factor update every</source>
        <translation>因子の更新間隔</translation>
    </message>
    <message>
        <source>Factors and inverses</source>
        <translation>因子と逆行列</translation>
    </message>
    <message>
        <source>Factors and their eigenvectors</source>
        <translation>因子とその固有ベクトル</translation>
    </message>
    <message>
        <source>Factors and their inverses</source>
        <translation>因子とその逆行列</translation>
    </message>
    <message>
        <source>Factors of a step's tokens</source>
        <translation>1 ステップのトークンの因子</translation>
    </message>
    <message>
        <source>Factors of the reduced gradient</source>
        <translation>縮約した勾配の因子</translation>
    </message>
    <message>
        <source>Factors onto their owners, mean over the steps</source>
        <translation>因子を所有ランクへ（ステップ平均）</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Failure rate</source>
        <translation>障害率</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>障害</translation>
    </message>
    <message>
        <source>Failures and checkpoints</source>
        <translation>障害とチェックポイント</translation>
    </message>
    <message>
        <source>Failures and checkpoints take all of the time: no budget trains anything.</source>
        <translation>故障とチェックポイントが全時間を占めるため、どの予算でも学習は進みません。</translation>
    </message>
    <message>
        <source>Failures in 1,000 days</source>
        <translation>1,000 日の障害数</translation>
    </message>
    <message>
        <source>Failures per 1,000 node-days</source>
        <translation>1,000 ノード日あたりの障害数</translation>
    </message>
    <message>
        <source>Failures take all of the time: the run never ends.</source>
        <translation>障害がすべての時間を占め、実行は終わりません。</translation>
    </message>
    <message>
        <source>Failures that end the job, per thousand nodes and day</source>
        <translation>ジョブを終わらせる障害、1,000 ノード・1 日あたり</translation>
    </message>
    <message>
        <source>Failures, checkpoints and ends of jobs are counted.</source>
        <translation>障害、チェックポイント、ジョブの終了を含みます。</translation>
    </message>
    <message>
        <source>Failures, checkpoints, ends of jobs</source>
        <translation>故障・チェックポイント・ジョブの終了</translation>
    </message>
    <message>
        <source>Failures, checkpoints, evaluation and other jobs on the machine.</source>
        <translation>故障、チェックポイント、評価、計算機上のほかのジョブ。</translation>
    </message>
    <message>
        <source>Family: remote memory access works inside one only, TCP is what several have in common</source>
        <translation>種類: リモートメモリアクセスは同じ種類の中だけで働き、異なる種類の間では TCP を使います</translation>
    </message>
    <message>
        <source>Fastest split</source>
        <translation>最速の分割</translation>
    </message>
    <message>
        <source>Fastest split, all else as it stands</source>
        <translation>最速の分割、他は現在のまま</translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation>お気に入り</translation>
    </message>
    <message>
        <source>Fe&amp;west nodes that fit</source>
        <translation>収まる最少ノード数(&amp;W)</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>フィードフォワード</translation>
    </message>
    <message>
        <source>Feed-forward bias</source>
        <translation>フィードフォワードバイアス</translation>
    </message>
    <message>
        <source>Feed-forward in</source>
        <translation>フィードフォワード入力側</translation>
    </message>
    <message>
        <source>Feed-forward input, after the norm</source>
        <translation>フィードフォワード入力（正規化後）</translation>
    </message>
    <message>
        <source>Feed-forward out</source>
        <translation>フィードフォワード出力側</translation>
    </message>
    <message>
        <source>Feed-forward output</source>
        <translation>フィードフォワード出力</translation>
    </message>
    <message>
        <source>Feed-forward width</source>
        <translation>フィードフォワードの幅</translation>
    </message>
    <message>
        <source>Fewest nodes</source>
        <translation>最少のノード</translation>
    </message>
    <message>
        <source>Fewest nodes for this time</source>
        <translation>この時間での最少ノード</translation>
    </message>
    <message>
        <source>Fewest nodes that fit</source>
        <translation>収まる最少ノード数</translation>
    </message>
    <message>
        <source>Fewest nodes that fit: {1}.</source>
        <translation>収まる最少のノード数: {1}。</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>図</translation>
    </message>
    <message>
        <source>Figures of the run</source>
        <translation>実行の数値</translation>
    </message>
    <message>
        <source>Figures to export</source>
        <translation>書き出す図</translation>
    </message>
    <message>
        <source>File system</source>
        <translation>ファイルシステム</translation>
    </message>
    <message>
        <source>File system from one node</source>
        <translation>1 ノードからのファイルシステム</translation>
    </message>
    <message>
        <source>File system, one node</source>
        <translation>ファイルシステム、1 ノード</translation>
    </message>
    <message>
        <source>File system, reading</source>
        <translation>ファイルシステム、読み込み</translation>
    </message>
    <message>
        <source>File system, writing</source>
        <translation>ファイルシステム、書き込み</translation>
    </message>
    <message>
        <source>File system: reading</source>
        <translation>ファイルシステム: 読み込み</translation>
    </message>
    <message>
        <source>File system: writing from all nodes</source>
        <translation>ファイルシステム: 全ノードからの書き込み</translation>
    </message>
    <message>
        <source>File system: writing from one node</source>
        <translation>ファイルシステム: 1 ノードからの書き込み</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Files, written and read back</source>
        <translation>ファイルの書き込みと読み戻し</translation>
    </message>
    <message>
        <source>Filter the layouts</source>
        <translation>並列構成を絞り込む</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>実行を絞り込む</translation>
    </message>
    <message>
        <source>Filter: e.g. TP8 ZeRO1 full, or Pareto-best</source>
        <translation>絞り込み: 例 TP8 ZeRO1 full、パレート最適</translation>
    </message>
    <message>
        <source>Filter: words of any column, e.g. A100 ZeRO 3</source>
        <translation>絞り込み: 任意の列の語、例 A100 ZeRO 3</translation>
    </message>
    <message>
        <source>Final norm</source>
        <translation>最終正規化</translation>
    </message>
    <message>
        <source>Find &amp;anything...</source>
        <translation>すべてから検索(&amp;A)...</translation>
    </message>
    <message>
        <source>Find a %1</source>
        <translation>%1を検索</translation>
    </message>
    <message>
        <source>Find a command, an input, a model, a machine, a page, a number</source>
        <translation>コマンド、入力項目、モデル、計算機、ページ、数値を検索</translation>
    </message>
    <message>
        <source>Find an example</source>
        <translation>計画例を検索</translation>
    </message>
    <message>
        <source>Find an input</source>
        <translation>入力項目を検索</translation>
    </message>
    <message>
        <source>Find an input (Ctrl+F)</source>
        <translation>入力項目を検索 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Find out more before changing: the layout that saves most does so only if "{1}" is right, and may cost more than it saves otherwise.</source>
        <translation>変更の前にさらに調べてください。最も節約する構成は「{1}」が正しい場合にのみ有効で、そうでなければ損失が上回る恐れがあります。</translation>
    </message>
    <message>
        <source>Fine-tune adapters (LoRA)</source>
        <translation>アダプターをファインチューニング（LoRA）</translation>
    </message>
    <message>
        <source>Fine-tune adapters over 4-bit weights (QLoRA)</source>
        <translation>4 ビットの重みの上のアダプターをファインチューニング（QLoRA）</translation>
    </message>
    <message>
        <source>Fine-tune all weights</source>
        <translation>すべての重みをファインチューニング</translation>
    </message>
    <message>
        <source>Fingerprint of plan, constants and predictions: %1.</source>
        <translation>計画・定数・予測のフィンガープリント: %1。</translation>
    </message>
    <message>
        <source>Finished by</source>
        <translation>終了日</translation>
    </message>
    <message>
        <source>First dense layers</source>
        <translation>先頭の密な層数</translation>
    </message>
    <message>
        <source>First gather, unhidden</source>
        <translation>最初の収集（隠れない）</translation>
    </message>
    <message>
        <source>First interval of a start</source>
        <translation>開始後の最初の区間</translation>
    </message>
    <message>
        <source>First layer's weights, unhidden</source>
        <translation>最初の層の重み（隠れない）</translation>
    </message>
    <message>
        <source>First layers in 16 bits</source>
        <translation>16 ビットのままの最初の層</translation>
    </message>
    <message>
        <source>First matrix of feed-forward blocks. PEFT: up_proj</source>
        <translation>フィードフォワードの最初の行列。PEFT: up_proj</translation>
    </message>
    <message>
        <source>First moment in</source>
        <translation>1 次モーメントの形式</translation>
    </message>
    <message>
        <source>First task to last</source>
        <translation>最初から最後のタスクまで</translation>
    </message>
    <message>
        <source>First what makes it fit, fastest in front; then each other change by itself, least memory first. Memory is that of the fullest stage.</source>
        <translation>まず収まるようにする変更を速い順に、次にそのほかの変更を一つずつ、メモリの少ない順に示します。メモリは最も多く使うステージのものです。</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>メモリに収まるか</translation>
    </message>
    <message>
        <source>Fits, but takes longer than a year.</source>
        <translation>収まりますが、1 年より長くかかります。</translation>
    </message>
    <message>
        <source>Fits.</source>
        <translation>収まります。</translation>
    </message>
    <message>
        <source>Fitted</source>
        <translation>当てはめ値</translation>
    </message>
    <message>
        <source>Folded</source>
        <translation>閉じています</translation>
    </message>
    <message>
        <source>Fon&amp;t</source>
        <translation>フォント(&amp;T)</translation>
    </message>
    <message>
        <source>For %1, submitted from %2</source>
        <translation>対象 %1、投入元 %2</translation>
    </message>
    <message>
        <source>For example</source>
        <translation>例</translation>
    </message>
    <message>
        <source>For plans like this one count from here on: %1. Undo takes them back</source>
        <translation>これに似た計画では今後 %1が数えられます。元に戻すと取り消されます</translation>
    </message>
    <message>
        <source>Forget job</source>
        <translation>ジョブを忘れる</translation>
    </message>
    <message>
        <source>Forget measured runs</source>
        <translation>登録した実測を忘れる</translation>
    </message>
    <message>
        <source>Format of frozen matrices of layers. int8 and NF4 are decoded to 16 bits in every pass (QLoRA); double quantisation keeps the scales in 8 bits, 4.127 bits a weight in all</source>
        <translation>層の固定した行列の形式。int8 と NF4 はパスごとに 16 ビットへ復号します（QLoRA）。二重量子化はスケールを 8 ビットで保持し、重みあたり全部で 4.127 ビットです</translation>
    </message>
    <message>
        <source>Formats of the software</source>
        <translation>ソフトウェアの形式</translation>
    </message>
    <message>
        <source>Formats of the states</source>
        <translation>状態の形式</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>式</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>順伝播</translation>
    </message>
    <message>
        <source>Forward and backward</source>
        <translation>順伝播と逆伝播</translation>
    </message>
    <message>
        <source>Forward pass</source>
        <translation>順伝播</translation>
    </message>
    <message>
        <source>Forward pass of a micro-batch</source>
        <translation>マイクロバッチの順伝播</translation>
    </message>
    <message>
        <source>Forward pass of one layer</source>
        <translation>1 層の順伝播</translation>
    </message>
    <message>
        <source>Forward pass of one layer without attention</source>
        <translation>アテンションを除く 1 層の順伝播</translation>
    </message>
    <message>
        <source>Forward passes</source>
        <translation>順伝播</translation>
    </message>
    <message>
        <source>Forward, two gradients, recomputed ones</source>
        <translation>順伝播、2 種の勾配、再計算分</translation>
    </message>
    <message>
        <source>Four data ranks</source>
        <translation>4 データランク</translation>
    </message>
    <message>
        <source>Fragmentation</source>
        <translation>断片化</translation>
    </message>
    <message>
        <source>Freed after an update, as PyTorch does, so that the loss and the gradients are not there at once</source>
        <translation>PyTorch のように更新後に解放し、損失と勾配が同時には存在しない</translation>
    </message>
    <message>
        <source>From</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>From %1 to %2%3</source>
        <translation>%1 から %2%3 まで</translation>
    </message>
    <message>
        <source>From and to</source>
        <translation>前後の値</translation>
    </message>
    <message>
        <source>From the steps before (delayed) or from the data: one for a tensor, a row, a block, or 32 values (MX); finer ones cost more to convert. NVFP4 multiplies 4-bit numbers with one for 16. Megatron: --fp8-recipe, --fp4-format</source>
        <translation>前のステップから (delayed)、またはデータから: テンソル、行、ブロック、または 32 個の値 (MX) ごとに 1 つ。細かいほど変換に時間がかかります。NVFP4 は 16 個の値ごとに 1 つのスケールを持つ 4 ビットの数を掛けます。Megatron: --fp8-recipe、--fp4-format</translation>
    </message>
    <message>
        <source>Frozen weights</source>
        <translation>固定した重み</translation>
    </message>
    <message>
        <source>Frozen, as products read them</source>
        <translation>固定、積が読む形式</translation>
    </message>
    <message>
        <source>Frozen, quantised</source>
        <translation>固定、量子化</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>全体</translation>
    </message>
    <message>
        <source>Full gate</source>
        <translation>完全なゲート</translation>
    </message>
    <message>
        <source>Full recomputation runs the product that ends a layer again; off: dropped by the compiler (XLA), as the backward pass does not need its result</source>
        <translation>全体の再計算が層の最後の行列積も実行します。オフ: 逆伝播に不要なためコンパイラ (XLA) が省きます</translation>
    </message>
    <message>
        <source>Full recompute</source>
        <translation>全体を再計算</translation>
    </message>
    <message>
        <source>Further factor when the residual stream stays fp32</source>
        <translation>残差ストリームが fp32 のままのときの追加係数</translation>
    </message>
    <message>
        <source>Further tokens</source>
        <translation>先のトークン</translation>
    </message>
    <message>
        <source>Further tokens in 16 bits</source>
        <translation>先のトークンは 16 ビット</translation>
    </message>
    <message>
        <source>Further tokens: %1</source>
        <translation>先のトークン: %1</translation>
    </message>
    <message>
        <source>Fused attention half head</source>
        <translation>融合アテンション半値ヘッド</translation>
    </message>
    <message>
        <source>Fused attention half length</source>
        <translation>融合アテンション半値長</translation>
    </message>
    <message>
        <source>Fused attention leaves out what a window masks; off: layers with a window take as long as full ones</source>
        <translation>融合アテンションが窓の外を計算しません。オフ: 窓のある層も全体と同じ時間がかかります</translation>
    </message>
    <message>
        <source>Fused attention scale, backward</source>
        <translation>融合アテンションの係数、逆伝播</translation>
    </message>
    <message>
        <source>Fused attention scale, forward</source>
        <translation>融合アテンションの係数、順伝播</translation>
    </message>
    <message>
        <source>Fused attention, backward</source>
        <translation>融合アテンション、逆伝播</translation>
    </message>
    <message>
        <source>Fused attention, forward</source>
        <translation>融合アテンション、順伝播</translation>
    </message>
    <message>
        <source>Fuses RMS norms</source>
        <translation>RMS 正規化を融合</translation>
    </message>
    <message>
        <source>Fuses the softmax</source>
        <translation>ソフトマックスの融合</translation>
    </message>
    <message>
        <source>Fusion of adapters</source>
        <translation>アダプターの融合</translation>
    </message>
    <message>
        <source>G G^T and G^T G of every matrix, and 2 n^3 before every QR</source>
        <translation>各行列の G G^T と G^T G、QR 分解の前に 2 n^3</translation>
    </message>
    <message>
        <source>G G^T and G^T G of every tile</source>
        <translation>各タイルの G G^T と G^T G</translation>
    </message>
    <message>
        <source>G&amp;reys instead of colours</source>
        <translation>色の代わりに灰色(&amp;R)</translation>
    </message>
    <message>
        <source>GB, of 1,000,000,000 bytes</source>
        <translation>GB(1,000,000,000 バイト)</translation>
    </message>
    <message>
        <source>GB/s like "{1}"</source>
        <translation>「{1}」のような GB/s の値</translation>
    </message>
    <message>
        <source>GBps</source>
        <translation>GBps</translation>
    </message>
    <message>
        <source>GEMM ceiling</source>
        <translation>GEMM 上限</translation>
    </message>
    <message>
        <source>GEMM factor</source>
        <translation>GEMM 係数</translation>
    </message>
    <message>
        <source>GEMM half area</source>
        <translation>GEMM 半値面積</translation>
    </message>
    <message>
        <source>GEMM half depth</source>
        <translation>GEMM 半値深さ</translation>
    </message>
    <message>
        <source>GEMM half rows</source>
        <translation>GEMM 半値行数</translation>
    </message>
    <message>
        <source>GPT-2's shape, 124M</source>
        <translation>GPT-2 の形状、124M</translation>
    </message>
    <message>
        <source>GWh</source>
        <translation>GWh</translation>
    </message>
    <message>
        <source>Gap per layer</source>
        <translation>層あたりの隙間</translation>
    </message>
    <message>
        <source>Gate</source>
        <translation>ゲート</translation>
    </message>
    <message>
        <source>Gate after the activation function</source>
        <translation>活性化関数後のゲート</translation>
    </message>
    <message>
        <source>Gate of attention's output</source>
        <translation>アテンション出力のゲート</translation>
    </message>
    <message>
        <source>Gate of attention's output, and the product</source>
        <translation>アテンション出力のゲートとその積</translation>
    </message>
    <message>
        <source>Gate of feed-forward blocks. PEFT: gate_proj</source>
        <translation>フィードフォワードのゲート。PEFT: gate_proj</translation>
    </message>
    <message>
        <source>Gate of the layer's own embedding</source>
        <translation>層が自分で持つ埋め込みのゲート</translation>
    </message>
    <message>
        <source>Gated DeltaNet</source>
        <translation>Gated DeltaNet</translation>
    </message>
    <message>
        <source>Gated norm</source>
        <translation>ゲート後の正規化</translation>
    </message>
    <message>
        <source>Gather of the activation</source>
        <translation>アクティベーションの収集</translation>
    </message>
    <message>
        <source>Gather overlap tax</source>
        <translation>収集の重ね合わせの負担</translation>
    </message>
    <message>
        <source>Gathered weights</source>
        <translation>集めた重み</translation>
    </message>
    <message>
        <source>Gathered weights before they are converted</source>
        <translation>変換前の集めた重み</translation>
    </message>
    <message>
        <source>Gathers and scatters, in pairs</source>
        <translation>収集と分配の組</translation>
    </message>
    <message>
        <source>Gathers fp32 weights</source>
        <translation>fp32 の重みを集める</translation>
    </message>
    <message>
        <source>Gathers inputs again</source>
        <translation>入力を再び集める</translation>
    </message>
    <message>
        <source>Gathers into the gradients</source>
        <translation>勾配の場所に集める</translation>
    </message>
    <message>
        <source>Gathers of one layer</source>
        <translation>1 層の収集</translation>
    </message>
    <message>
        <source>Gathers tables</source>
        <translation>表を集める</translation>
    </message>
    <message>
        <source>Generic</source>
        <translation>汎用</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>GiB, of 1,073,741,824 bytes</source>
        <translation>GiB(1,073,741,824 バイト)</translation>
    </message>
    <message>
        <source>Give a table of measured runs, in the format of published runs. The answer is the set of constants that predicts them best; what the runs cannot tell stays near the preset.</source>
        <translation>測定した実行の表（公表された実行と同じ形式）を指定してください。答えは、それらを最もよく予測する定数の組です。実行から決まらないものはプリセットの近くに保たれます。</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>グローバルバッチ</translation>
    </message>
    <message>
        <source>Go on as it is: no other layout pays for stopping and starting in the steps that are left.</source>
        <translation>このまま続けてください。残りのステップで停止と再開に見合う構成はほかにありません。</translation>
    </message>
    <message>
        <source>Go on as it is: the present layout stays the best.</source>
        <translation>このまま続けてください。現在の構成が最良です。</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>目標</translation>
    </message>
    <message>
        <source>Goes on after the runs that are complete; layouts held back run again</source>
        <translation>完了した実行の続きから行います。検証用に除外した構成は再度実行します</translation>
    </message>
    <message>
        <source>Goodput</source>
        <translation>実効進行率</translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation>勾配蓄積</translation>
    </message>
    <message>
        <source>Gradient before the activation function</source>
        <translation>活性化関数の前の勾配</translation>
    </message>
    <message>
        <source>Gradient before the experts' activation function</source>
        <translation>エキスパートの活性化関数の前の勾配</translation>
    </message>
    <message>
        <source>Gradient bucket</source>
        <translation>勾配バケット</translation>
    </message>
    <message>
        <source>Gradient copy bytes</source>
        <translation>勾配の写しのバイト数</translation>
    </message>
    <message>
        <source>Gradient exposure</source>
        <translation>勾配の露出</translation>
    </message>
    <message>
        <source>Gradient of the attention block's output</source>
        <translation>アテンションブロック出力の勾配</translation>
    </message>
    <message>
        <source>Gradient of the experts' output</source>
        <translation>エキスパート出力の勾配</translation>
    </message>
    <message>
        <source>Gradient of the feed-forward block's output</source>
        <translation>フィードフォワードブロック出力の勾配</translation>
    </message>
    <message>
        <source>Gradient of the head's input</source>
        <translation>ヘッドの入力の勾配</translation>
    </message>
    <message>
        <source>Gradient overlap</source>
        <translation>勾配の重ね合わせ</translation>
    </message>
    <message>
        <source>Gradient reduction of stage {1}</source>
        <translation>ステージ {1} の勾配縮約</translation>
    </message>
    <message>
        <source>Gradient reduction per bucket</source>
        <translation>バケットあたりの勾配縮約</translation>
    </message>
    <message>
        <source>Gradient reduction per node</source>
        <translation>ノードあたりの勾配縮約</translation>
    </message>
    <message>
        <source>Gradient reduction the step waits for</source>
        <translation>ステップが待つ勾配縮約</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>勾配</translation>
    </message>
    <message>
        <source>Gradients at 8 bits, two data ranks</source>
        <translation>勾配を 8 ビットで、2 データランク</translation>
    </message>
    <message>
        <source>Gradients come and go</source>
        <translation>勾配の解放</translation>
    </message>
    <message>
        <source>Gradients come home</source>
        <translation>戻ってくる勾配</translation>
    </message>
    <message>
        <source>Gradients go down</source>
        <translation>勾配が下る</translation>
    </message>
    <message>
        <source>Gradients in fp8, two data ranks</source>
        <translation>勾配を fp8 で、2 データランク</translation>
    </message>
    <message>
        <source>Gradients into the basis, updates back</source>
        <translation>勾配を基底へ、更新を元へ</translation>
    </message>
    <message>
        <source>Gradients kept in</source>
        <translation>勾配の形式</translation>
    </message>
    <message>
        <source>Gradients kept on</source>
        <translation>勾配の置き場所</translation>
    </message>
    <message>
        <source>Gradients of queries, keys and values</source>
        <translation>クエリ・キー・バリューの勾配</translation>
    </message>
    <message>
        <source>Gradients of these results</source>
        <translation>その結果の勾配</translation>
    </message>
    <message>
        <source>Gradients reduced together</source>
        <translation>まとめて縮約する勾配</translation>
    </message>
    <message>
        <source>Gradients, the update on CPUs and the new weights one after the other; off: side by side. Megatron: --overlap-cpu-optimizer-d2h-h2d turns it off</source>
        <translation>勾配、CPU での更新、新しい重みを 1 つずつ順に行います。オフ: 並行して行います。Megatron: --overlap-cpu-optimizer-d2h-h2d でオフになります</translation>
    </message>
    <message>
        <source>Greyed: the model's. Type a number to set it for this kind, or nothing to return.</source>
        <translation>灰色はモデルの値です。数を入力するとこの種類の値になり、空にするとモデルの値に戻ります。</translation>
    </message>
    <message>
        <source>Grid factor</source>
        <translation>電力の排出係数</translation>
    </message>
    <message>
        <source>Grouped GEMM factor</source>
        <translation>グループ GEMM 係数</translation>
    </message>
    <message>
        <source>Grouped GEMM half rows</source>
        <translation>グループ GEMM 半値行数</translation>
    </message>
    <message>
        <source>Grouped GEMM half width</source>
        <translation>グループ GEMM 半値幅</translation>
    </message>
    <message>
        <source>Grouped GEMM share</source>
        <translation>グループ GEMM 比</translation>
    </message>
    <message>
        <source>Grouped GEMM share, fp8</source>
        <translation>グループ GEMM 比、fp8</translation>
    </message>
    <message>
        <source>Grouped against single products</source>
        <translation>単独の行列積に対するグループの比</translation>
    </message>
    <message>
        <source>Grouped weight gradients</source>
        <translation>グループの重み勾配</translation>
    </message>
    <message>
        <source>Groups of pages</source>
        <translation>ページのグループ</translation>
    </message>
    <message>
        <source>Groups one expert</source>
        <translation>エキスパート 1 個もグループ化</translation>
    </message>
    <message>
        <source>Hadamard transform of copies by columns</source>
        <translation>列方向の写しのアダマール変換</translation>
    </message>
    <message>
        <source>Half of the cores (%1)</source>
        <translation>コアの半分 (%1)</translation>
    </message>
    <message>
        <source>Half of the steps of {1} lie {2} or more from the middle one: something disturbed it.</source>
        <translation>{1} のステップの半分は中央の値から {2} 以上離れています。何かに妨げられました。</translation>
    </message>
    <message>
        <source>Hardware FLOP rate per device</source>
        <translation>デバイスあたりのハードウェア FLOP 速度</translation>
    </message>
    <message>
        <source>Hardware FLOP utilisation</source>
        <translation>ハードウェア FLOP 利用率</translation>
    </message>
    <message>
        <source>Hatched: none fits, by how much at least. Dotted: this plan</source>
        <translation>斜線: 収まらない（最小の超過分を表示）。点線: この計画</translation>
    </message>
    <message>
        <source>Head dimension</source>
        <translation>ヘッド次元</translation>
    </message>
    <message>
        <source>Head dimension at which half the rate is reached</source>
        <translation>速度が半分になるヘッド次元</translation>
    </message>
    <message>
        <source>Head start on the first stage</source>
        <translation>最初のステージに対する先行</translation>
    </message>
    <message>
        <source>Head width</source>
        <translation>ヘッドの幅</translation>
    </message>
    <message>
        <source>Headroom %1  </source>
        <translation>余裕 %1  </translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>ヘッド数</translation>
    </message>
    <message>
        <source>Heads of queries and keys; Mamba-2: groups</source>
        <translation>クエリとキーのヘッド数。Mamba-2: グループ数</translation>
    </message>
    <message>
        <source>Heads of values; Mamba-2: heads</source>
        <translation>値のヘッド数。Mamba-2: ヘッド数</translation>
    </message>
    <message>
        <source>Height: share of the time</source>
        <translation>高さ: 時間の割合</translation>
    </message>
    <message>
        <source>Height: share of the time. Zoom in for single tasks</source>
        <translation>高さ: 時間の割合。拡大すると個々の処理が見えます</translation>
    </message>
    <message>
        <source>Held &amp;equal:</source>
        <translation>同じにするもの(&amp;E)：</translation>
    </message>
    <message>
        <source>Held for reductions and gathers where there is no pipeline</source>
        <translation>パイプラインがないときに縮約と収集のため保持する量</translation>
    </message>
    <message>
        <source>Held per logit at the peak of the end stage</source>
        <translation>最終ステージのピークで保持するロジットあたりのバイト数</translation>
    </message>
    <message>
        <source>Held per owned parameter while the optimizer runs, besides the states: fp32 gradients and copies</source>
        <translation>オプティマイザの実行中、状態のほかに所有パラメータあたり保持する量: fp32 の勾配と写し</translation>
    </message>
    <message>
        <source>Held per parameter besides the states: flat or fp32 copies of the gradients, shared out from ZeRO stage 2 on</source>
        <translation>状態のほかにパラメータあたり保持する量: 勾配の平坦または fp32 の写し。ZeRO ステージ 2 から分担します</translation>
    </message>
    <message>
        <source>Held per value of the residual stream for each micro-batch in flight, whatever the tensor ranks split</source>
        <translation>テンソルランクの分割によらず、処理中のマイクロバッチごとに残差ストリームの値あたり保持するバイト数</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>ヘルプ</translation>
    </message>
    <message>
        <source>Help page</source>
        <translation>ヘルプページ</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>ヘルプページ一覧</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>隠れる割合</translation>
    </message>
    <message>
        <source>Hidden altogether</source>
        <translation>すべて隠れます</translation>
    </message>
    <message>
        <source>Hidden behind</source>
        <translation>隠れる分</translation>
    </message>
    <message>
        <source>Hidden behind the attention of a block</source>
        <translation>ブロックのアテンションに隠れる分</translation>
    </message>
    <message>
        <source>Hidden behind the passes</source>
        <translation>パスに隠れる分</translation>
    </message>
    <message>
        <source>Hidden of these</source>
        <translation>そのうち隠れる割合</translation>
    </message>
    <message>
        <source>Hidden reduction tax</source>
        <translation>隠れた縮約の負担</translation>
    </message>
    <message>
        <source>Hidden sends that delay filling and draining</source>
        <translation>充填と排出を遅らせる隠れた送信</translation>
    </message>
    <message>
        <source>Hidden share</source>
        <translation>隠れる割合</translation>
    </message>
    <message>
        <source>Hidden size</source>
        <translation>隠れ層の幅</translation>
    </message>
    <message>
        <source>Hide Details...</source>
        <translation>詳細を隠す...</translation>
    </message>
    <message>
        <source>Highest ZeRO stage this stack combines with pipeline parallelism</source>
        <translation>このソフトウェアがパイプライン並列と併用する最高の ZeRO ステージ</translation>
    </message>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>持つもの</translation>
    </message>
    <message>
        <source>Hollow: exceeds memory</source>
        <translation>白抜き: メモリ超過</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>Host issue time</source>
        <translation>ホストの発行時間</translation>
    </message>
    <message>
        <source>Host issuing it</source>
        <translation>ホストによる発行</translation>
    </message>
    <message>
        <source>Host issuing the update</source>
        <translation>更新を発行するホスト</translation>
    </message>
    <message>
        <source>Host jitter</source>
        <translation>ホストのばらつき</translation>
    </message>
    <message>
        <source>Host link</source>
        <translation>ホストリンク</translation>
    </message>
    <message>
        <source>Host link: bandwidth</source>
        <translation>ホストリンク: 帯域</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>ホストメモリ</translation>
    </message>
    <message>
        <source>Host memory bandwidth</source>
        <translation>ホストメモリ帯域</translation>
    </message>
    <message>
        <source>Host memory is short by {1} per node</source>
        <translation>ホストメモリがノードあたり {1} 不足</translation>
    </message>
    <message>
        <source>Host power</source>
        <translation>ホストの電力</translation>
    </message>
    <message>
        <source>Host side</source>
        <translation>ホスト側</translation>
    </message>
    <message>
        <source>Host time per gathered matrix</source>
        <translation>収集する行列ごとのホスト時間</translation>
    </message>
    <message>
        <source>Host time per layer</source>
        <translation>層あたりのホスト時間</translation>
    </message>
    <message>
        <source>Host time per micro-batch</source>
        <translation>マイクロバッチあたりのホスト時間</translation>
    </message>
    <message>
        <source>Host time, experts</source>
        <translation>ホスト時間、エキスパート</translation>
    </message>
    <message>
        <source>Host time, latent attention</source>
        <translation>ホスト時間、潜在アテンション</translation>
    </message>
    <message>
        <source>Host time, optimizer</source>
        <translation>ホスト時間、オプティマイザ</translation>
    </message>
    <message>
        <source>Host time, overlapped exchange</source>
        <translation>ホスト時間、交換の重ね合わせ</translation>
    </message>
    <message>
        <source>Host time, pipeline over nodes</source>
        <translation>ホスト時間、ノード間パイプライン</translation>
    </message>
    <message>
        <source>Host time, tensor parallel</source>
        <translation>ホスト時間、テンソル並列</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>ホスト</translation>
    </message>
    <message>
        <source>Hours in &amp;other units...</source>
        <translation>ほかの単位の時間(&amp;O)...</translation>
    </message>
    <message>
        <source>Hours in other units</source>
        <translation>ほかの単位の時間</translation>
    </message>
    <message>
        <source>Hours of modules, cards or chips as they are sold</source>
        <translation>製品単位（モジュール、カード、チップ）の時間</translation>
    </message>
    <message>
        <source>Hours, from an hour on</source>
        <translation>1 時間以上は時間</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>How devices that share a sequence compute its attention: ring passes keys and values round while their attention is computed, ulysses exchanges tokens for heads before and after, all_gather gathers all keys and values first, ulysses_ring exchanges heads among neighbours and rings between them. Megatron: --cp-comm-type p2p, a2a, all_gather, a2a+p2p</source>
        <translation>1 つの系列を分担するデバイスがそのアテンションを計算する方法。ring はアテンションの計算中にキーとバリューを順に渡し、ulysses は前後でトークンをヘッドと交換し、all_gather は先にすべてのキーとバリューを集め、ulysses_ring は隣どうしでヘッドを交換してその間をリングにします。Megatron: --cp-comm-type p2p, a2a, all_gather, a2a+p2p</translation>
    </message>
    <message>
        <source>How devices that share a sequence compute mixers with a state: all_to_all exchanges the projections of tokens for those of heads (Megatron); passed gathers the states of the ranks before, whose tokens lie in order: where attention is no ulysses the last rank then works longest</source>
        <translation>1 つの系列を分担するデバイスが状態を持つミキサーを計算する方法。all_to_all はトークンの射影をヘッドの射影と交換し（Megatron）、passed は前のランクの状態を集めます。トークンは順に並ぶため、アテンションが ulysses でなければ最後のランクが最も長く働きます</translation>
    </message>
    <message>
        <source>How do the plans that are open differ, and why does one take longer?</source>
        <translation>開いている計画はどう違い、なぜ一方がより長くかかりますか。</translation>
    </message>
    <message>
        <source>How far are predictions off on published runs?</source>
        <translation>公表された実行に対して予測はどれだけ外れていますか。</translation>
    </message>
    <message>
        <source>How it ended</source>
        <translation>終了の様子</translation>
    </message>
    <message>
        <source>How long does it take on more or fewer nodes, and what does that cost in node-hours?</source>
        <translation>ノード数を増減すると時間はどれだけ変わり、ノード時間はいくらになりますか。</translation>
    </message>
    <message>
        <source>How long training stands still for one checkpoint, where measured; 0 is size over write bandwidth</source>
        <translation>1 回のチェックポイントで学習が止まる時間（測定した場合）。0 は大きさ / 書き込み帯域</translation>
    </message>
    <message>
        <source>How many layers of every model chunk of a stage recompute, n, the first ones; the others keep all their activations. 0 recomputes in all. Megatron: --recompute-method block --recompute-num-layers</source>
        <translation>ステージの各モデルチャンクで再計算する先頭の層数 n。ほかはすべてのアクティベーションを保持します。0 は全層。Megatron: --recompute-method block --recompute-num-layers</translation>
    </message>
    <message>
        <source>How matrices are cut over the tensor-parallel devices: 1d by columns, then rows (Megatron); summa-2d weights and activations over a q x q grid; tesseract the tokens over a depth as well. Colossal-AI: parallel.tensor.mode 1d, 2d, 2.5d</source>
        <translation>テンソル並列デバイスでの行列の分割法: 1d は列、次に行で分割 (Megatron)、summa-2d は重みとアクティベーションを q x q の格子に、tesseract はさらにトークンを深さ方向に分割。Colossal-AI: parallel.tensor.mode 1d, 2d, 2.5d</translation>
    </message>
    <message>
        <source>How much CO2e a kilowatt-hour of {1} stands for is not known: state it first.</source>
        <translation>{1} の 1 kWh あたりの CO2e は分かっていません。先に入力してください。</translation>
    </message>
    <message>
        <source>How much longer the measured run of the layout predicted fastest took than the fastest measured one</source>
        <translation>最速と予測された構成の実測時間が、最速の実測よりどれだけ長かったか</translation>
    </message>
    <message>
        <source>How much memory should stay free, and what time, node-hours and energy count</source>
        <translation>空けておくメモリの量と、時間・ノード時間・電力量に含めるもの</translation>
    </message>
    <message>
        <source>How often each example is read. Transformers: num_train_epochs; torchtune: epochs</source>
        <translation>それぞれの例を読む回数。Transformers: num_train_epochs。torchtune: epochs</translation>
    </message>
    <message>
        <source>How often each run is made, in turn: a visit that was disturbed shows beside the others</source>
        <translation>各実行を順に何回行うか。乱された回は、ほかの回と比べて分かります</translation>
    </message>
    <message>
        <source>How plans are judged</source>
        <translation>計画の判定方法</translation>
    </message>
    <message>
        <source>How positions enter. Megatron: --position-embedding-type</source>
        <translation>位置情報の与え方。Megatron: --position-embedding-type</translation>
    </message>
    <message>
        <source>How the loss comes about, which tells what is held per logit: parallel 6 bytes, parallel_fused 10, parallel_copied 8, eager 14 (18 over tensor ranks), compiled 4 (10 over tensor ranks), fused_linear 2 of one chunk, for the head's product once more; stated: logit bytes</source>
        <translation>損失の求め方。ロジット 1 つあたりに保持する量が決まります: parallel 6 バイト、parallel_fused 10、parallel_copied 8、eager 14（テンソルランクにわたる場合 18）、compiled 4（テンソルランクにわたる場合 10）、fused_linear はチャンク 1 つの 2（ヘッドの行列積をもう一度行う）、stated: ロジットのバイト数</translation>
    </message>
    <message>
        <source>How the network does when {1} devices use it instead of {2}, and the slowest of so many.</source>
        <translation>{2} 台ではなく {1} 台のデバイスが使うときのネットワークの振る舞いと、それだけの台数の中で最も遅いもの。</translation>
    </message>
    <message>
        <source>How the number comes about</source>
        <translation>数値の導出</translation>
    </message>
    <message>
        <source>How the plan's machine is calibrated</source>
        <translation>計画の計算機の較正のしかた</translation>
    </message>
    <message>
        <source>How the rates of products and attention fall with the power of the board</source>
        <translation>行列積とアテンションの速度が基板の電力とともに下がる度合い</translation>
    </message>
    <message>
        <source>How this number comes &amp;about</source>
        <translation>この数値の求め方(&amp;A)</translation>
    </message>
    <message>
        <source>How well predictions did</source>
        <translation>予測の精度</translation>
    </message>
    <message>
        <source>How well predictions do</source>
        <translation>予測の精度</translation>
    </message>
    <message>
        <source>How {1} pipeline stages fill and drain.</source>
        <translation>{1} 段のパイプラインが満ちて空になるまでの時間。</translation>
    </message>
    <message>
        <source>Hypothetical machine: %1.</source>
        <translation>仮想の計算機: %1。</translation>
    </message>
    <message>
        <source>Hypothetical machine: %1; and %2 more.</source>
        <translation>仮想の計算機: %1。ほか %2 件。</translation>
    </message>
    <message>
        <source>Hypothetical machine: {1}.</source>
        <translation>仮想の計算機: {1}。</translation>
    </message>
    <message>
        <source>I &amp;measured this...</source>
        <translation>実測を登録(&amp;M)...</translation>
    </message>
    <message>
        <source>I measured this</source>
        <translation>実測を登録</translation>
    </message>
    <message>
        <source>IT energy</source>
        <translation>IT の消費電力量</translation>
    </message>
    <message>
        <source>Ideal</source>
        <translation>理想</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>待機</translation>
    </message>
    <message>
        <source>Idle device time per layer and pass</source>
        <translation>層とパスあたりのデバイスの空き時間</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>無視</translation>
    </message>
    <message>
        <source>Imbalance</source>
        <translation>不均衡</translation>
    </message>
    <message>
        <source>Import &amp;calibration...</source>
        <translation>較正結果の取り込み(&amp;C)...</translation>
    </message>
    <message>
        <source>Import &amp;framework configuration...</source>
        <translation>フレームワークの設定を読み込む(&amp;F)...</translation>
    </message>
    <message>
        <source>Import a calibration</source>
        <translation>較正結果の取り込み</translation>
    </message>
    <message>
        <source>Import a framework's configuration</source>
        <translation>フレームワークの設定を読み込む</translation>
    </message>
    <message>
        <source>Import a model</source>
        <translation>モデルの取り込み</translation>
    </message>
    <message>
        <source>Import of %1</source>
        <translation>%1 の読み込み</translation>
    </message>
    <message>
        <source>Import result...</source>
        <translation>結果を取り込む...</translation>
    </message>
    <message>
        <source>Imported %1</source>
        <translation>%1 を取り込みました</translation>
    </message>
    <message>
        <source>In 16 bits</source>
        <translation>16 ビット</translation>
    </message>
    <message>
        <source>In Megatron's words: E the embedding, t a layer, m a module that predicts a further token, L the loss, | between stages, those of all chunks in turn: Ettt|(tt|)*29m|L. Empty: stages are split by the rule above.</source>
        <translation>Megatron の書き方です。E は埋め込み、t は層、m は先のトークンを予測するモジュール、L は損失、| はステージの区切りで、すべてのチャンクのステージを順に並べます: Ettt|(tt|)*29m|L。空なら、上の規則に従って分けます。</translation>
    </message>
    <message>
        <source>In brackets stands the difference from the first plan: ▲ better, ▼ worse. Failures, checkpoints and ends of jobs are counted.</source>
        <translation>括弧内は最初の計画との差です：▲ 良い、▼ 悪い。障害、チェックポイント、ジョブの終了を含みます。</translation>
    </message>
    <message>
        <source>In charts and fields</source>
        <translation>図と入力欄</translation>
    </message>
    <message>
        <source>In chunks</source>
        <translation>チャンクごと</translation>
    </message>
    <message>
        <source>In fp32 a parameter has 16 bytes of states.</source>
        <translation>fp32 では 1 パラメータの状態は 16 バイトです。</translation>
    </message>
    <message>
        <source>In hours</source>
        <translation>時間単位</translation>
    </message>
    <message>
        <source>In range</source>
        <translation>範囲内</translation>
    </message>
    <message>
        <source>In the currency of the machine's price, at its upper end</source>
        <translation>計算機の料金の通貨で、上限の料金による</translation>
    </message>
    <message>
        <source>In the programme's unit</source>
        <translation>プログラムの単位で</translation>
    </message>
    <message>
        <source>In the tile, the chart and the tables of node-hours; the key U goes from one to the next</source>
        <translation>ノード時間のタイル、グラフ、表での単位。U キーで順に切り替わります</translation>
    </message>
    <message>
        <source>In the workspace %1</source>
        <translation>ワークスペース%1に入っています</translation>
    </message>
    <message>
        <source>In tiles, charts, tables and exported figures</source>
        <translation>タイル、グラフ、表、書き出した図で</translation>
    </message>
    <message>
        <source>In which it keeps states of a parameter: those of the named recipes; each state in its own (Transformer Engine); any. Others are refused</source>
        <translation>パラメータの状態を保持する形式です。名前のあるレシピのもの、状態ごとに別の形式 (Transformer Engine)、任意。それ以外は拒否されます</translation>
    </message>
    <message>
        <source>Indexer, backward</source>
        <translation>インデクサー、逆伝播</translation>
    </message>
    <message>
        <source>Indexer, forward</source>
        <translation>インデクサー、順伝播</translation>
    </message>
    <message>
        <source>Indexer: key, and weights of its heads</source>
        <translation>インデクサー: キーとヘッドの重み</translation>
    </message>
    <message>
        <source>Indexer: queries</source>
        <translation>インデクサー: クエリ</translation>
    </message>
    <message>
        <source>Indexer: weights of its heads</source>
        <translation>インデクサー: ヘッドの重み</translation>
    </message>
    <message>
        <source>Inference</source>
        <translation>推論</translation>
    </message>
    <message>
        <source>Inner dimension at which half the fp8 rate is reached</source>
        <translation>fp8 の速度が半分になる内積次元</translation>
    </message>
    <message>
        <source>Inner dimension at which half the rate is reached</source>
        <translation>速度が半分になる内積次元</translation>
    </message>
    <message>
        <source>Inner width of one routed expert, of each branch when gated. Megatron: --moe-ffn-hidden-size</source>
        <translation>1 エキスパートの内部の幅（ゲート付きでは各分岐）。Megatron: --moe-ffn-hidden-size</translation>
    </message>
    <message>
        <source>Inner width of one shared expert. Megatron: --moe-shared-expert-intermediate-size is all of them</source>
        <translation>1 共有エキスパートの内部の幅。Megatron: --moe-shared-expert-intermediate-size は全体の合計</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>入力項目</translation>
    </message>
    <message>
        <source>Input embedding and LM head are one table. Megatron: off is --untie-embeddings-and-output-weights</source>
        <translation>入力埋め込みと LM ヘッドが同じ表。Megatron: オフは --untie-embeddings-and-output-weights</translation>
    </message>
    <message>
        <source>Input gradient</source>
        <translation>入力勾配</translation>
    </message>
    <message>
        <source>Input of the activation function of the routed experts. Megatron: --offload-modules moe_act</source>
        <translation>ルーティングされたエキスパートの活性化関数の入力。Megatron: --offload-modules moe_act</translation>
    </message>
    <message>
        <source>Input of the experts' last product</source>
        <translation>エキスパートの最後の積の入力</translation>
    </message>
    <message>
        <source>Input of the last product</source>
        <translation>最後の積の入力</translation>
    </message>
    <message>
        <source>Input of the mixer's output projection</source>
        <translation>ミキサーの出力射影の入力</translation>
    </message>
    <message>
        <source>Input of the norm in front of experts. Megatron: --offload-modules mlp_norm</source>
        <translation>エキスパートの前の正規化の入力。Megatron: --offload-modules mlp_norm</translation>
    </message>
    <message>
        <source>Input of the norm in front of latent attention. With any module listed, the activations of those alone leave the devices. Megatron: --offload-modules attn_norm</source>
        <translation>潜在アテンションの前の正規化の入力です。モジュールを指定すると、そのアクティベーションだけがデバイスから出ます。Megatron: --offload-modules attn_norm</translation>
    </message>
    <message>
        <source>Input of the product behind the layer</source>
        <translation>層の後ろの積の入力</translation>
    </message>
    <message>
        <source>Input of the projection behind attention, which the attention core needs too: both leave together. Megatron: --offload-modules attn_proj</source>
        <translation>アテンションの後の射影の入力です。アテンション本体にも必要なので、両方が一緒に出ます。Megatron: --offload-modules attn_proj</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>入力</translation>
    </message>
    <message>
        <source>Inputs of adapters after dropout</source>
        <translation>ドロップアウト後のアダプターの入力</translation>
    </message>
    <message>
        <source>Inputs of adapters after dropout, split</source>
        <translation>ドロップアウト後のアダプターの入力、分割</translation>
    </message>
    <message>
        <source>Inputs of the experts' adapters after dropout</source>
        <translation>ドロップアウト後のエキスパートのアダプターの入力</translation>
    </message>
    <message>
        <source>Inputs that differ, and answers of the plans</source>
        <translation>異なる入力と、各計画の答え</translation>
    </message>
    <message>
        <source>Inside nine tenths</source>
        <translation>九割の範囲内</translation>
    </message>
    <message>
        <source>Inside two thirds</source>
        <translation>三分の二の範囲内</translation>
    </message>
    <message>
        <source>Into your presets; the machine it started from stays as it is</source>
        <translation>自分のプリセットに保存します。元の計算機は変わりません</translation>
    </message>
    <message>
        <source>Inverses times gradients</source>
        <translation>逆行列 × 勾配</translation>
    </message>
    <message>
        <source>Inverses, mean over the steps</source>
        <translation>逆行列（ステップ平均）</translation>
    </message>
    <message>
        <source>Inversion every</source>
        <translation>逆行列の計算間隔</translation>
    </message>
    <message>
        <source>Inverted every</source>
        <translation>逆行列の計算間隔</translation>
    </message>
    <message>
        <source>Is the batch too large?</source>
        <translation>バッチは大きすぎるか</translation>
    </message>
    <message>
        <source>It does not fit below the devices.</source>
        <translation>デバイスの下の層に収まりません。</translation>
    </message>
    <message>
        <source>It does not fit: {1}.</source>
        <translation>収まりません: {1}。</translation>
    </message>
    <message>
        <source>It failed: %1.</source>
        <translation>失敗しました: %1</translation>
    </message>
    <message>
        <source>It fits: {1}.</source>
        <translation>収まります: {1}。</translation>
    </message>
    <message>
        <source>It holds no step with a time.</source>
        <translation>時間のあるステップがありません。</translation>
    </message>
    <message>
        <source>It is beyond the critical batch: more than half of the tokens are the price of its size.</source>
        <translation>臨界バッチを超えています。トークンの半分以上がバッチの大きさの代償です。</translation>
    </message>
    <message>
        <source>It is large: fewer nodes or a smaller batch would train with fewer tokens, in more time.</source>
        <translation>大きめです。ノードを減らすかバッチを小さくすれば、時間は延びますが少ないトークンで学習できます。</translation>
    </message>
    <message>
        <source>It is not too large.</source>
        <translation>大きすぎません。</translation>
    </message>
    <message>
        <source>It is right; keep it all the &amp;same</source>
        <translation>値は正しいので、このまま保存する(&amp;S)</translation>
    </message>
    <message>
        <source>It may not fit: {1}.</source>
        <translation>収まらないおそれがあります: {1}。</translation>
    </message>
    <message>
        <source>It surely fits with: {1}.</source>
        <translation>次のどれかで確実に収まります。{1}。</translation>
    </message>
    <message>
        <source>It takes %1 of a device's memory.</source>
        <translation>デバイスのメモリを %1 使います。</translation>
    </message>
    <message>
        <source>Iteration reduction</source>
        <translation>反復削減率</translation>
    </message>
    <message>
        <source>Its embedding, joining product, head and loss</source>
        <translation>その埋め込み、結合の積、ヘッド、損失</translation>
    </message>
    <message>
        <source>Its name in the pattern</source>
        <translation>パターンでの名前</translation>
    </message>
    <message>
        <source>Its tab comes to the front</source>
        <translation>そのタブを前に出します</translation>
    </message>
    <message>
        <source>Its tokens over the mean of the ranks</source>
        <translation>そのトークン数とランクの平均の比</translation>
    </message>
    <message>
        <source>Its transfer</source>
        <translation>その転送</translation>
    </message>
    <message>
        <source>Its {1} cannot be cut: run the plan itself for some steps.</source>
        <translation>{1}は減らせません。計画そのものを数ステップ実行してください。</translation>
    </message>
    <message>
        <source>Its {1} step lines hold no time.</source>
        <translation>ステップの行は {1} 行ありますが、時間がありません。</translation>
    </message>
    <message>
        <source>Jacobs et al. 2023</source>
        <translation>Jacobs et al. 2023</translation>
    </message>
    <message>
        <source>Job %1: %2</source>
        <translation>ジョブ %1: %2</translation>
    </message>
    <message>
        <source>Job chain</source>
        <translation>ジョブの連鎖</translation>
    </message>
    <message>
        <source>Job script</source>
        <translation>ジョブスクリプト</translation>
    </message>
    <message>
        <source>Job script and arguments of the framework</source>
        <translation>ジョブスクリプトとフレームワークの引数</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>ジョブ数</translation>
    </message>
    <message>
        <source>Jobs of {1} are started by {2}, for which there is no script: slurm, lsf, pjm, pbs and flux are known. What works: the script for one of them, whose directives and line that starts the ranks are then replaced.</source>
        <translation>{1} のジョブは {2} が起動しますが、そのスクリプトはありません。使えるのは slurm、lsf、pjm、pbs、flux です。そのどれかのスクリプトを書き、指示行とランクを起動する行を置き換えれば使えます。</translation>
    </message>
    <message>
        <source>Jobs of {1} are started by {2}, not by {3}: the directives of this script and its line that starts the ranks are to be replaced.</source>
        <translation>{1} のジョブを起動するのは {3} ではなく {2} です。このスクリプトの指示行と、ランクを起動する行を置き換えてください。</translation>
    </message>
    <message>
        <source>Joules of a step</source>
        <translation>1 ステップのジュール数</translation>
    </message>
    <message>
        <source>Joules per MWh</source>
        <translation>1 MWh のジュール数</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>K-FAC adds up factors on every rank: the stage's over several micro-batches, else one layer's</source>
        <translation>K-FAC は各ランクで因子を加算します: マイクロバッチが複数ならステージ全体、そうでなければ 1 層分</translation>
    </message>
    <message>
        <source>K-FAC and Shampoo: steps between two inversions, a multiple of the factor update. kfac-pytorch: inv_update_steps; Distributed Shampoo: precondition_frequency</source>
        <translation>K-FAC と Shampoo: 逆行列の計算の間のステップ数（因子の更新間隔の倍数）。kfac-pytorch: inv_update_steps、Distributed Shampoo: precondition_frequency</translation>
    </message>
    <message>
        <source>K-FAC and Shampoo: steps between two updates of the factors. kfac-pytorch: factor_update_steps</source>
        <translation>K-FAC と Shampoo: 因子の更新の間のステップ数。kfac-pytorch: factor_update_steps</translation>
    </message>
    <message>
        <source>K-FAC and Shampoo: widest factor, k; wider sides are cut into diagonal blocks, 0 cuts nothing. Distributed Shampoo: max_preconditioner_dim</source>
        <translation>K-FAC と Shampoo: 因子の最大幅 k。広い辺は対角ブロックに分け、0 は分けません。Distributed Shampoo: max_preconditioner_dim</translation>
    </message>
    <message>
        <source>K-FAC, Shampoo, SOAP: share of the fp32 product rate that inversions, roots and decompositions reach. Estimated: time torch.linalg.cholesky or eigh on one block to know it</source>
        <translation>K-FAC、Shampoo、SOAP: 逆行列、根、分解の計算が達する fp32 行列積速度の割合。推定値です。1 ブロックの torch.linalg.cholesky または eigh を測ると分かります</translation>
    </message>
    <message>
        <source>Keep a copy of the plan beside it, then edit it: both are compared here with every edit. Other plans can be opened too, each in a tab of its own.</source>
        <translation>計画の写しを横に置いてから計画を変更すると、変更のたびにここで両方を比べます。ほかの計画もそれぞれのタブに開けます。</translation>
    </message>
    <message>
        <source>Keep for later</source>
        <translation>あとで</translation>
    </message>
    <message>
        <source>Keep for this plan</source>
        <translation>この計画のために残す</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>自分の版を保持</translation>
    </message>
    <message>
        <source>Keep mine: the file is written again when you save.</source>
        <translation>自分の版を保持: 保存するとファイルを書き直します。</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>続ける</translation>
    </message>
    <message>
        <source>Keeps 16-bit gradients</source>
        <translation>16 ビット勾配を保持</translation>
    </message>
    <message>
        <source>Keeps alternate products</source>
        <translation>行列積を 1 つおきに保持</translation>
    </message>
    <message>
        <source>Keeps units in a pipeline</source>
        <translation>パイプラインで単位を保持</translation>
    </message>
    <message>
        <source>Kept by one</source>
        <translation>1 層の保持</translation>
    </message>
    <message>
        <source>Kept for the backward pass</source>
        <translation>逆伝播のための保持</translation>
    </message>
    <message>
        <source>Kept for weight gradients that wait</source>
        <translation>待っている重み勾配のための保持</translation>
    </message>
    <message>
        <source>Kept in fp8: nothing; copies of the weights and inputs of products (Transformer Engine); or the weights themselves. Transformer Engine: fp8_model_init makes them primary</source>
        <translation>fp8 で保持するもの: なし、重みの写しと行列積の入力 (Transformer Engine)、または重み自体。Transformer Engine: fp8_model_init で重み自体</translation>
    </message>
    <message>
        <source>Kept in full</source>
        <translation>すべて保持</translation>
    </message>
    <message>
        <source>Kept in {1}</source>
        <translation>{1}に置く量</translation>
    </message>
    <message>
        <source>Kept over a long run</source>
        <translation>長時間の実行で保つ割合</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>カーネル数</translation>
    </message>
    <message>
        <source>Kernels of {1}</source>
        <translation>{1} のカーネル</translation>
    </message>
    <message>
        <source>Kernels that compute half of a symmetric product: 3 m^2 n + m^3 FLOP an iteration instead of 4 m^2 n + 2 m^3. Emerging-Optimizers: use_syrk</source>
        <translation>対称積の半分だけを計算するカーネル: 反復ごとに 4 m^2 n + 2 m^3 ではなく 3 m^2 n + m^3 FLOP。Emerging-Optimizers: use_syrk</translation>
    </message>
    <message>
        <source>Key heads</source>
        <translation>キーのヘッド数</translation>
    </message>
    <message>
        <source>Key projection</source>
        <translation>キー射影</translation>
    </message>
    <message>
        <source>Key width</source>
        <translation>キーの幅</translation>
    </message>
    <message>
        <source>Key-value heads</source>
        <translation>キー・バリューヘッド</translation>
    </message>
    <message>
        <source>Key-value projection down</source>
        <translation>キー・バリュー射影（縮小）</translation>
    </message>
    <message>
        <source>Key-value projection up</source>
        <translation>キー・バリュー射影（拡大）</translation>
    </message>
    <message>
        <source>Key-value rank</source>
        <translation>キー・バリューのランク</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>キーボードショートカット</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>キー</translation>
    </message>
    <message>
        <source>Keys and values</source>
        <translation>キーとバリュー</translation>
    </message>
    <message>
        <source>Keys and values again, and their gradients</source>
        <translation>キーとバリューをもう一度、およびその勾配</translation>
    </message>
    <message>
        <source>Keys and values round the ring</source>
        <translation>リングを回るキーとバリュー</translation>
    </message>
    <message>
        <source>Keys that were chosen</source>
        <translation>選ばれたキー</translation>
    </message>
    <message>
        <source>Keys, values and their gradients round the ring</source>
        <translation>リングを回るキー、バリューとその勾配</translation>
    </message>
    <message>
        <source>KiB</source>
        <translation>KiB</translation>
    </message>
    <message>
        <source>Kimi Delta Attention</source>
        <translation>Kimi Delta Attention</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>Kind of layer</source>
        <translation>層の種類</translation>
    </message>
    <message>
        <source>Kinds of layers</source>
        <translation>層の種類</translation>
    </message>
    <message>
        <source>Korthikanti et al. 2022</source>
        <translation>Korthikanti et al. 2022</translation>
    </message>
    <message>
        <source>Korthikanti et al. 2022, after recomputation</source>
        <translation>Korthikanti et al. 2022、再計算後</translation>
    </message>
    <message>
        <source>LM head</source>
        <translation>LM ヘッド</translation>
    </message>
    <message>
        <source>LM head, three passes</source>
        <translation>LM ヘッド、3 パス</translation>
    </message>
    <message>
        <source>LM head, weight gradient over the depth</source>
        <translation>LM ヘッド、深さ方向の重み勾配</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>言語(&amp;G)</translation>
    </message>
    <message>
        <source>Lang&amp;uage</source>
        <translation>言語(&amp;U)</translation>
    </message>
    <message>
        <source>Larger negative</source>
        <translation>負の大きい方</translation>
    </message>
    <message>
        <source>Largest error, with its run</source>
        <translation>最大の誤差とその実行</translation>
    </message>
    <message>
        <source>Largest model a few devices hold</source>
        <translation>少数のデバイスに入る最大のモデル</translation>
    </message>
    <message>
        <source>Largest of the ranks, in standard deviations</source>
        <translation>ランクのうち最大のもの（標準偏差の単位）</translation>
    </message>
    <message>
        <source>Largest piece with one owner</source>
        <translation>1 ランクが持つ最大の部分</translation>
    </message>
    <message>
        <source>Largest regret, with its sweep</source>
        <translation>最大の後悔とその掃引</translation>
    </message>
    <message>
        <source>Last day</source>
        <translation>最終日</translation>
    </message>
    <message>
        <source>Last layers in 16 bits</source>
        <translation>16 ビットのままの最後の層</translation>
    </message>
    <message>
        <source>Last matrix of feed-forward blocks. PEFT: down_proj</source>
        <translation>フィードフォワードの最後の行列。PEFT: down_proj</translation>
    </message>
    <message>
        <source>Last scatter, unhidden</source>
        <translation>最後の分配（隠れない）</translation>
    </message>
    <message>
        <source>Last stage recomputes</source>
        <translation>最終ステージも再計算</translation>
    </message>
    <message>
        <source>Last valid plan</source>
        <translation>最後に計算できた計画</translation>
    </message>
    <message>
        <source>Late collectives</source>
        <translation>遅れて発行される集団通信</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>遅延</translation>
    </message>
    <message>
        <source>Latency and transfer</source>
        <translation>遅延と転送</translation>
    </message>
    <message>
        <source>Latency between nodes</source>
        <translation>ノード間の遅延</translation>
    </message>
    <message>
        <source>Latency inside a node</source>
        <translation>ノード内の遅延</translation>
    </message>
    <message>
        <source>Latent attention</source>
        <translation>潜在アテンション</translation>
    </message>
    <message>
        <source>Latent keys of all tokens</source>
        <translation>全トークンの潜在キー</translation>
    </message>
    <message>
        <source>Latent vectors before they are projected up</source>
        <translation>上へ射影する前の潜在ベクトル</translation>
    </message>
    <message>
        <source>Latent width of keys and values in latent attention; 0 is without. Megatron: --kv-lora-rank</source>
        <translation>潜在アテンションのキーとバリューの潜在幅。なければ 0。Megatron: --kv-lora-rank</translation>
    </message>
    <message>
        <source>Latent width of queries; 0 projects them in one step. Megatron: --q-lora-rank</source>
        <translation>クエリの潜在幅。0 は 1 段で射影。Megatron: --q-lora-rank</translation>
    </message>
    <message>
        <source>Launch and gaps</source>
        <translation>起動と隙間</translation>
    </message>
    <message>
        <source>Layer GEMMs</source>
        <translation>層の GEMM</translation>
    </message>
    <message>
        <source>Layer input</source>
        <translation>層の入力</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>層</translation>
    </message>
    <message>
        <source>Layers and micro-batches</source>
        <translation>層とマイクロバッチ</translation>
    </message>
    <message>
        <source>Layers at the start that keep the dense feed-forward block. Hugging Face: first_k_dense_replace</source>
        <translation>先頭で密なフィードフォワードを保つ層数。Hugging Face: first_k_dense_replace</translation>
    </message>
    <message>
        <source>Layers of one depth, a letter each; empty: one of the kind of the last layer</source>
        <translation>1 段の層、1 層に 1 文字。空なら最後の層と同じ種類の 1 層</translation>
    </message>
    <message>
        <source>Layers of the grid of a tesseract, t = q q depth; the weights are repeated on each. Colossal-AI: parallel.tensor.depth</source>
        <translation>tesseract の格子の層数、t = q q depth。重みは各層で複製されます。Colossal-AI: parallel.tensor.depth</translation>
    </message>
    <message>
        <source>Layers of the model</source>
        <translation>モデルの層</translation>
    </message>
    <message>
        <source>Layers of the pipeline stages</source>
        <translation>パイプラインステージの層</translation>
    </message>
    <message>
        <source>Layers of the plan's width are added until the next does not fit, for each way of using host memory and drives.</source>
        <translation>ホストメモリとドライブの使い方ごとに、次の層が収まらなくなるまで計画の幅の層を加えます。</translation>
    </message>
    <message>
        <source>Layers of the plan's width are added until the next does not fit; micro-batch 1, full recomputation, one sequence for each replica. A budget in node-hours or energy is a question for the page Goal.</source>
        <translation>計画の幅の層を、次の層が収まらなくなるまで加えます。マイクロバッチ 1、全体の再計算、レプリカごとに 1 系列。ノード時間やエネルギーの予算は「目標」ページで尋ねてください。</translation>
    </message>
    <message>
        <source>Layers of the stage</source>
        <translation>ステージの層数</translation>
    </message>
    <message>
        <source>Layers of the stages</source>
        <translation>ステージの層</translation>
    </message>
    <message>
        <source>Layers of the stages, as a list</source>
        <translation>ステージの層のリスト</translation>
    </message>
    <message>
        <source>Layers on the stage</source>
        <translation>ステージの層数</translation>
    </message>
    <message>
        <source>Layers per stage</source>
        <translation>ステージの層数</translation>
    </message>
    <message>
        <source>Layers that attend to the window; the others to everything. Hugging Face: layer_types</source>
        <translation>窓だけを見る層数。ほかは全体を見ます。Hugging Face: layer_types</translation>
    </message>
    <message>
        <source>Layers that stay whole</source>
        <translation>全体が残る層</translation>
    </message>
    <message>
        <source>Layers with a window</source>
        <translation>窓のある層数</translation>
    </message>
    <message>
        <source>Layers with experts</source>
        <translation>エキスパート層</translation>
    </message>
    <message>
        <source>Layers with experts on the stage</source>
        <translation>ステージのエキスパート層数</translation>
    </message>
    <message>
        <source>Layers {1}</source>
        <translation>{1}の層数</translation>
    </message>
    <message>
        <source>Layers {1}: {2}</source>
        <translation>層 {1}: {2}</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>並列構成</translation>
    </message>
    <message>
        <source>Layout %1</source>
        <translation>並列構成 %1</translation>
    </message>
    <message>
        <source>Layout {1}</source>
        <translation>並列構成 {1}</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>並列構成</translation>
    </message>
    <message>
        <source>Layouts for the running job</source>
        <translation>実行中のジョブの構成</translation>
    </message>
    <message>
        <source>Layouts that are not chosen, because such runs stand still at times or are predicted not to fit, and runs that another run of the same work shows to have stood still by chance</source>
        <translation>実行がときどき停滞するか、メモリに収まらないと予測されるため選ばれない構成と、同じ処理の別の実行から偶然に停滞したと分かる実行</translation>
    </message>
    <message>
        <source>Layouts that draw more than {1} are left out.</source>
        <translation>{1} を超える電力を使う構成は除いてあります。</translation>
    </message>
    <message>
        <source>Layouts that fit or may fit</source>
        <translation>収まる、または収まる可能性のある並列構成</translation>
    </message>
    <message>
        <source>Layouts that nearly fit</source>
        <translation>あと少しで収まる構成</translation>
    </message>
    <message>
        <source>Layouts, best first</source>
        <translation>並列構成（良い順）</translation>
    </message>
    <message>
        <source>Least carbon</source>
        <translation>最少の CO2e</translation>
    </message>
    <message>
        <source>Least energy</source>
        <translation>最少のエネルギー</translation>
    </message>
    <message>
        <source>Least energy in twice the time</source>
        <translation>2 倍の時間での最少エネルギー</translation>
    </message>
    <message>
        <source>Least model parallelism</source>
        <translation>モデル並列最小</translation>
    </message>
    <message>
        <source>Least money</source>
        <translation>最少の費用</translation>
    </message>
    <message>
        <source>Least node-hours</source>
        <translation>最少のノード時間</translation>
    </message>
    <message>
        <source>Leaves the device</source>
        <translation>デバイスから出る分</translation>
    </message>
    <message>
        <source>Left by a graph of attention and router</source>
        <translation>アテンションとルーターのグラフで残る割合</translation>
    </message>
    <message>
        <source>Left by a graph of the router</source>
        <translation>ルーターのグラフで残る割合</translation>
    </message>
    <message>
        <source>Left by failures</source>
        <translation>障害が残す時間</translation>
    </message>
    <message>
        <source>Left out: {1}, {2}.</source>
        <translation>除外: {1} 区間、{2}。</translation>
    </message>
    <message>
        <source>Left where passes run side by side</source>
        <translation>パスを並べて残る割合</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>左、右</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>長さ</translation>
    </message>
    <message>
        <source>Length of a causal sequence at half the rate, tokens</source>
        <translation>速度が半分になる因果的系列の長さ（トークン）</translation>
    </message>
    <message>
        <source>Less what it takes from work beside it</source>
        <translation>並んだ作業から奪う分を引いた割合</translation>
    </message>
    <message>
        <source>Letter</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Letter si&amp;ze</source>
        <translation>文字の大きさ(&amp;Z)</translation>
    </message>
    <message>
        <source>Life of the drives</source>
        <translation>ドライブの寿命</translation>
    </message>
    <message>
        <source>Likely %1. %2</source>
        <translation>推定範囲 %1。%2</translation>
    </message>
    <message>
        <source>Likely range</source>
        <translation>推定範囲</translation>
    </message>
    <message>
        <source>Likely range: %1 to %2 %3, %4 either way. %5</source>
        <translation>推定範囲: %1〜%2 %3、上下に %4。%5</translation>
    </message>
    <message>
        <source>Likely ranges</source>
        <translation>見込み範囲</translation>
    </message>
    <message>
        <source>Lines differ in dashes and marks, areas in greys and hatches</source>
        <translation>線は破線と印で、面は灰色の濃さと斜線で区別します</translation>
    </message>
    <message>
        <source>Lines of the plan</source>
        <translation>計画に由来する行</translation>
    </message>
    <message>
        <source>Link, from the device</source>
        <translation>リンク、デバイスから</translation>
    </message>
    <message>
        <source>Link, to the device</source>
        <translation>リンク、デバイスへ</translation>
    </message>
    <message>
        <source>List of %1 stages</source>
        <translation>%1 ステージのリスト</translation>
    </message>
    <message>
        <source>List of presets: keep the marked one on top</source>
        <translation>プリセット一覧: 選択中のものを先頭に固定</translation>
    </message>
    <message>
        <source>Liu et al. 2023</source>
        <translation>Liu et al. 2023</translation>
    </message>
    <message>
        <source>Llama 3 (2407.21783, section 3.3.2)</source>
        <translation>Llama 3（2407.21783、3.3.2 節）</translation>
    </message>
    <message>
        <source>LoRA in place of all weights</source>
        <translation>全重みの代わりに LoRA</translation>
    </message>
    <message>
        <source>Loading data</source>
        <translation>データの読み込み</translation>
    </message>
    <message>
        <source>Loading the checkpoint</source>
        <translation>チェックポイントの読み込み</translation>
    </message>
    <message>
        <source>Logarithmic &amp;x axis (X)</source>
        <translation>対数 x 軸 (X)(&amp;X)</translation>
    </message>
    <message>
        <source>Logarithmic &amp;x axis of the chart</source>
        <translation>図の x 軸を対数に(&amp;X)</translation>
    </message>
    <message>
        <source>Logarithmic &amp;y axis (Y)</source>
        <translation>対数 y 軸 (Y)(&amp;Y)</translation>
    </message>
    <message>
        <source>Logarithmic &amp;y axis of the chart</source>
        <translation>図の y 軸を対数に(&amp;Y)</translation>
    </message>
    <message>
        <source>Logging, data, loss scaling: once per step</source>
        <translation>ログ、データ、損失スケーリング: ステップごとに 1 回</translation>
    </message>
    <message>
        <source>Logit bytes</source>
        <translation>ロジットのバイト数</translation>
    </message>
    <message>
        <source>Logits</source>
        <translation>ロジット</translation>
    </message>
    <message>
        <source>Logits and their gradients</source>
        <translation>ロジットとその勾配</translation>
    </message>
    <message>
        <source>Logits at once</source>
        <translation>一度に扱うロジット</translation>
    </message>
    <message>
        <source>Logits from the stage before</source>
        <translation>前のステージからのロジット</translation>
    </message>
    <message>
        <source>Logits of one micro-batch</source>
        <translation>1 マイクロバッチのロジット</translation>
    </message>
    <message>
        <source>Logits share room</source>
        <translation>ロジットの領域を共用</translation>
    </message>
    <message>
        <source>Logs of calibrations (*.jsonl *.part);;All files (*)</source>
        <translation>較正のログ (*.jsonl *.part);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Longer by</source>
        <translation>延びる割合</translation>
    </message>
    <message>
        <source>Longest matrix</source>
        <translation>最も長くかかる行列</translation>
    </message>
    <message>
        <source>Longest time</source>
        <translation>最長の時間</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>体裁</translation>
    </message>
    <message>
        <source>Look among the presets: %1 (Enter)</source>
        <translation>プリセットから探す: %1（Enter）</translation>
    </message>
    <message>
        <source>Look everywhere (Enter)</source>
        <translation>すべてから探す（Enter）</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>損失</translation>
    </message>
    <message>
        <source>Loss chunks</source>
        <translation>損失のチャンク数</translation>
    </message>
    <message>
        <source>Loss chunks keep logits</source>
        <translation>分割した損失がロジットを保持</translation>
    </message>
    <message>
        <source>Loss law fitted again (Besiroglu et al. 2024)</source>
        <translation>再推定された損失則（Besiroglu ら 2024）</translation>
    </message>
    <message>
        <source>Loss: %1</source>
        <translation>損失: %1</translation>
    </message>
    <message>
        <source>Losses that wait</source>
        <translation>待っている損失</translation>
    </message>
    <message>
        <source>Lossless codec</source>
        <translation>可逆コーデック</translation>
    </message>
    <message>
        <source>Lost at each job's ends</source>
        <translation>各ジョブの前後で失う時間</translation>
    </message>
    <message>
        <source>Lost by each</source>
        <translation>1 回あたりの損失</translation>
    </message>
    <message>
        <source>Lost on short transfers</source>
        <translation>短い転送での損失</translation>
    </message>
    <message>
        <source>M&amp;achine</source>
        <translation>計算機(&amp;A)</translation>
    </message>
    <message>
        <source>M&amp;icro-batch</source>
        <translation>マイクロバッチ(&amp;I)</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>MISSING</source>
        <translation>不足</translation>
    </message>
    <message>
        <source>MWh</source>
        <translation>MWh</translation>
    </message>
    <message>
        <source>MXFP8 weights are gathered in 16 bits, where gradients are added up; off: in a buffer of their own. Megatron: --reuse-grad-buf-for-mxfp8-param-ag</source>
        <translation>MXFP8 の重みは、勾配を足し合わせる場所に 16 ビットで集めます。オフ: 独自のバッファーに集めます。Megatron: --reuse-grad-buf-for-mxfp8-param-ag</translation>
    </message>
    <message>
        <source>MXFP8: values in 16 bits, of which both copies are made on arrival</source>
        <translation>MXFP8: 16 ビットの値。届いたときに両方の写しを作ります</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>計算機</translation>
    </message>
    <message>
        <source>Machine preset</source>
        <translation>計算機のプリセット</translation>
    </message>
    <message>
        <source>Machine size</source>
        <translation>計算機の規模</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>計算機</translation>
    </message>
    <message>
        <source>Magnitudes (DoRA)</source>
        <translation>大きさ（DoRA）</translation>
    </message>
    <message>
        <source>Make it the plan</source>
        <translation>この計画にする</translation>
    </message>
    <message>
        <source>Make this run the current plan, as one step that can be undone</source>
        <translation>この実行を現在の計画にします。1 回の操作として元に戻せます</translation>
    </message>
    <message>
        <source>Make this the plan's layout, as one step that can be undone (Enter)</source>
        <translation>計画の並列構成にします。1 回の操作として元に戻せます (Enter)</translation>
    </message>
    <message>
        <source>Mamba-2</source>
        <translation>Mamba-2</translation>
    </message>
    <message>
        <source>Mapping to clusters</source>
        <translation>クラスタへの割り当て</translation>
    </message>
    <message>
        <source>Mask and softmax of scores that are written are one kernel; off: one operation after the other, in fp32</source>
        <translation>書き出されるスコアのマスクとソフトマックスが 1 つのカーネルです。オフ: fp32 で 1 演算ずつ行います</translation>
    </message>
    <message>
        <source>Masks are kept for the backward pass. Megatron: --hidden-dropout above 0</source>
        <translation>逆伝播のためマスクを保持します。Megatron: --hidden-dropout が 0 より大きい場合</translation>
    </message>
    <message>
        <source>Master weights in</source>
        <translation>マスター重みの形式</translation>
    </message>
    <message>
        <source>Matrices of all tokens</source>
        <translation>全トークンが通る行列</translation>
    </message>
    <message>
        <source>Matrices of the chunks</source>
        <translation>チャンクの行列</translation>
    </message>
    <message>
        <source>Matrices that the rank owns slices of</source>
        <translation>ランクが断片を持つ行列</translation>
    </message>
    <message>
        <source>Matrix products</source>
        <translation>行列積</translation>
    </message>
    <message>
        <source>Matrix products of an fp32 recipe run on the tensor cores with inputs rounded to tf32. PyTorch: torch.backends.cuda.matmul.allow_tf32</source>
        <translation>fp32 のレシピの行列積を、入力を tf32 に丸めてテンソルコアで実行します。PyTorch: torch.backends.cuda.matmul.allow_tf32</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>May not fit.</source>
        <translation>収まらないおそれがあります。</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Mean absolute error %1 over %2 layouts held back</source>
        <translation>検証用に除外した %2 構成での平均絶対誤差 %1</translation>
    </message>
    <message>
        <source>Mean absolute error %1 over 1 layout held back</source>
        <translation>検証用に除外した 1 構成での平均絶対誤差 %1</translation>
    </message>
    <message>
        <source>Mean cross-entropy of a token, as the run goes on.</source>
        <translation>実行中のトークンの平均交差エントロピー。</translation>
    </message>
    <message>
        <source>Mean errors of all layouts held back, one attempt after the other: {1}.</source>
        <translation>取り置いた全レイアウトの平均誤差を、試行の順に示します: {1}。</translation>
    </message>
    <message>
        <source>Mean of the errors' sizes</source>
        <translation>誤差の大きさの平均</translation>
    </message>
    <message>
        <source>Mean of the signed errors: positive is predicted too slow</source>
        <translation>符号付き誤差の平均: 正は遅く予測したことを示します</translation>
    </message>
    <message>
        <source>Mean of the squared gradients. Megatron: --exp-avg-sq-dtype</source>
        <translation>勾配の 2 乗の平均です。Megatron: --exp-avg-sq-dtype</translation>
    </message>
    <message>
        <source>Mean time between failures of this job on its nodes, M. Turning it changes the failure rate</source>
        <translation>使用ノードでのこのジョブの平均故障間隔 M。変えると障害率が変わります</translation>
    </message>
    <message>
        <source>Mean tokens of a document, or of an example, where attention does not look from one into another; 0 lets it see the whole sequence. Fused kernels leave out what is masked. Megatron: --reset-attention-mask</source>
        <translation>アテンションが互いを見ない場合の、文書または例の平均トークン数。0 では系列全体を見ます。融合カーネルはマスクした部分を省きます。Megatron: --reset-attention-mask</translation>
    </message>
    <message>
        <source>Mean with standstills</source>
        <translation>停滞を含む平均</translation>
    </message>
    <message>
        <source>Measure with your own software</source>
        <translation>お使いのソフトウェアで測る</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>実測</translation>
    </message>
    <message>
        <source>Measured / modelled</source>
        <translation>実測 / モデル</translation>
    </message>
    <message>
        <source>Measured against predicted</source>
        <translation>測定と予測の比較</translation>
    </message>
    <message>
        <source>Measured beside predicted</source>
        <translation>実測と予測</translation>
    </message>
    <message>
        <source>Measured by</source>
        <translation>測定元</translation>
    </message>
    <message>
        <source>Measured by the machine's own counters in {1} of 1 layout.</source>
        <translation>1 構成のうち {1} 構成で、計算機自身のカウンタにより測定しました。</translation>
    </message>
    <message>
        <source>Measured by the machine's own counters in {1} of {2} layouts.</source>
        <translation>{2} 構成のうち {1} 構成で、計算機自身のカウンタにより測定しました。</translation>
    </message>
    <message>
        <source>Measured by the machine's own counters in {1} of {2} steps.</source>
        <translation>{2} ステップのうち {1} ステップで、計算機自身のカウンタにより測定しました。</translation>
    </message>
    <message>
        <source>Measured efficiency of weak scaling</source>
        <translation>弱スケーリングの実測効率</translation>
    </message>
    <message>
        <source>Measured memory in GiB</source>
        <translation>測定したメモリ（GiB）</translation>
    </message>
    <message>
        <source>Measured numbers</source>
        <translation>測定した数値</translation>
    </message>
    <message>
        <source>Measured on %1: %2; %3. From "%4".</source>
        <translation>%1 に測定: %2、%3。元は「%4」。</translation>
    </message>
    <message>
        <source>Measured parallel efficiency</source>
        <translation>実測の並列効率</translation>
    </message>
    <message>
        <source>Measured parts beside predicted ones</source>
        <translation>測定した内訳と予測した内訳</translation>
    </message>
    <message>
        <source>Measured runs</source>
        <translation>実測した実行</translation>
    </message>
    <message>
        <source>Measured runs of your own</source>
        <translation>自分の実測</translation>
    </message>
    <message>
        <source>Measured steps</source>
        <translation>実測ステップ</translation>
    </message>
    <message>
        <source>Measured steps, mean over the ranks, beside the estimate made before the run.</source>
        <translation>実測ステップ（ランク平均）と実行前の予測。</translation>
    </message>
    <message>
        <source>Measured value</source>
        <translation>測定値</translation>
    </message>
    <message>
        <source>Measured: %1</source>
        <translation>実測: %1</translation>
    </message>
    <message>
        <source>Measured: {1}. Predicted: {2}. The measured step takes {3} less.</source>
        <translation>実測：{1}。予測：{2}。実測のステップは {3} 短い。</translation>
    </message>
    <message>
        <source>Measured: {1}. Predicted: {2}. The measured step takes {3} longer.</source>
        <translation>実測：{1}。予測：{2}。実測のステップは {3} 長い。</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中央値</translation>
    </message>
    <message>
        <source>Median of the errors' sizes</source>
        <translation>誤差の大きさの中央値</translation>
    </message>
    <message>
        <source>Median over %1 sources of each one's mean error: step time %2, memory %3. %4 rows are not scored; each says why.</source>
        <translation>%1 件の出典ごとの平均誤差の中央値: ステップ時間 %2、メモリ %3。%4 行は評価対象外で、理由は各行にあります。</translation>
    </message>
    <message>
        <source>Median over sources of the mean size of their errors, each predicted without its own rows. It flatters stacks that one source alone ran: formulas and priors were chosen with its rows in view</source>
        <translation>各出典を自身の行なしで予測した誤差の大きさの平均の、出典間の中央値。1 つの出典だけが動かしたソフトウェアには甘くなります。式と事前分布はその行を見て選ばれたためです</translation>
    </message>
    <message>
        <source>Median regret</source>
        <translation>後悔の中央値</translation>
    </message>
    <message>
        <source>Median time of one call, as measured; nothing is fitted yet.</source>
        <translation>1 回の呼び出しの実測中央値。まだ当てはめていません。</translation>
    </message>
    <message>
        <source>Medium: 8 layers of 512</source>
        <translation>中: 8 層、幅 512</translation>
    </message>
    <message>
        <source>Megatron-Bridge takes an activation function of its own from the recipe, not from a file.</source>
        <translation>Megatron-Bridge は独自の活性化関数をファイルではなくレシピから取ります。</translation>
    </message>
    <message>
        <source>Megatron-Bridge's configuration has no word for {1}.</source>
        <translation>Megatron-Bridge の設定には {1} に当たる項目がありません。</translation>
    </message>
    <message>
        <source>Megatron-Bridge's recipes train in mixed precision. Nearest: bf16.</source>
        <translation>Megatron-Bridge のレシピは混合精度で学習します。最も近い値: bf16。</translation>
    </message>
    <message>
        <source>Megatron: --add-qkv-bias</source>
        <translation>Megatron: --add-qkv-bias</translation>
    </message>
    <message>
        <source>Megatron: --normalization</source>
        <translation>Megatron: --normalization</translation>
    </message>
    <message>
        <source>Megatron: off is --disable-bias-linear</source>
        <translation>Megatron: オフは --disable-bias-linear</translation>
    </message>
    <message>
        <source>Members entering it together</source>
        <translation>同時に入るメンバー数</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation>メモリ帯域</translation>
    </message>
    <message>
        <source>Memory in all</source>
        <translation>メモリ合計</translation>
    </message>
    <message>
        <source>Memory is that of the fullest stage, part by part.</source>
        <translation>メモリは最も多く使うステージのもので、内訳を示します。</translation>
    </message>
    <message>
        <source>Memory of a device</source>
        <translation>デバイスのメモリ</translation>
    </message>
    <message>
        <source>Memory of a rank</source>
        <translation>ランクのメモリ</translation>
    </message>
    <message>
        <source>Memory of one device</source>
        <translation>1 デバイスのメモリ</translation>
    </message>
    <message>
        <source>Memory of stage {1}</source>
        <translation>ステージ {1} のメモリ</translation>
    </message>
    <message>
        <source>Memory of the fullest device</source>
        <translation>最も使用量の多いデバイスのメモリ</translation>
    </message>
    <message>
        <source>Memory predicted</source>
        <translation>メモリ予測</translation>
    </message>
    <message>
        <source>Memory traffic</source>
        <translation>メモリ通信量</translation>
    </message>
    <message>
        <source>Memory: </source>
        <translation>メモリ: </translation>
    </message>
    <message>
        <source>Memory: bandwidth</source>
        <translation>メモリ: 帯域</translation>
    </message>
    <message>
        <source>Memory: libraries and the program itself</source>
        <translation>メモリ: ライブラリとプログラム自体</translation>
    </message>
    <message>
        <source>Memory: share of the bandwidth</source>
        <translation>メモリ: 帯域比</translation>
    </message>
    <message>
        <source>Memory: the plan %1; worst is stage %2 of %3</source>
        <translation>メモリ: この計画は%1。最大はステージ %2 / %3</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>メッセージ</translation>
    </message>
    <message>
        <source>Messages (%1)</source>
        <translation>メッセージ (%1)</translation>
    </message>
    <message>
        <source>Messages between stages</source>
        <translation>ステージ間のメッセージ</translation>
    </message>
    <message>
        <source>Messages both sides wait for</source>
        <translation>双方が待つメッセージ</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>手法</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>MiB by tensor ranks</source>
        <translation>テンソルランク数ごとの MiB</translation>
    </message>
    <message>
        <source>MiB of activations by tensor ranks</source>
        <translation>テンソルランク数ごとのアクティベーションの MiB</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>マイクロバッチ</translation>
    </message>
    <message>
        <source>Micro-batches in flight</source>
        <translation>処理中のマイクロバッチ数</translation>
    </message>
    <message>
        <source>Micro-batches in turn</source>
        <translation>交代するマイクロバッチ数</translation>
    </message>
    <message>
        <source>Micro-batches of a rank in a step</source>
        <translation>1 ステップにランクが処理するマイクロバッチ数</translation>
    </message>
    <message>
        <source>Micro-batches per step</source>
        <translation>1 ステップのマイクロバッチ数</translation>
    </message>
    <message>
        <source>Micro-batches that go through a chunk before the next one's turn, no fewer than the stages; 0: as many as these. More keep more in flight. Megatron: --microbatch-group-size-per-virtual-pipeline-stage</source>
        <translation>次のチャンクに交代するまでに 1 つのチャンクを通るマイクロバッチの数。ステージ数以上。0 ならステージと同じ数。多いほど保持する量が増えます。Megatron: --microbatch-group-size-per-virtual-pipeline-stage</translation>
    </message>
    <message>
        <source>Micro-batches waiting</source>
        <translation>待っているマイクロバッチ数</translation>
    </message>
    <message>
        <source>Middle half</source>
        <translation>中央の半数</translation>
    </message>
    <message>
        <source>Mind: %1</source>
        <translation>注意: %1</translation>
    </message>
    <message>
        <source>Minutes, hours or days</source>
        <translation>分、時間、日</translation>
    </message>
    <message>
        <source>Mixer</source>
        <translation>ミキサー</translation>
    </message>
    <message>
        <source>Mixer output projection</source>
        <translation>ミキサーの出力射影</translation>
    </message>
    <message>
        <source>Mixture of experts</source>
        <translation>MoE</translation>
    </message>
    <message>
        <source>Mixtures of experts</source>
        <translation>MoE</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Model %1</source>
        <translation>モデル %1</translation>
    </message>
    <message>
        <source>Model &amp;size</source>
        <translation>モデルの大きさ(&amp;S)</translation>
    </message>
    <message>
        <source>Model FLOP rate per device</source>
        <translation>デバイスあたりのモデル FLOP 速度</translation>
    </message>
    <message>
        <source>Model FLOP utilisation</source>
        <translation>モデル FLOP 利用率</translation>
    </message>
    <message>
        <source>Model FLOP utilisation %1, %2; hardware utilisation %3 with recomputation counted</source>
        <translation>モデル FLOP 利用率 %1、%2。再計算を含むハードウェア利用率 %3</translation>
    </message>
    <message>
        <source>Model chunks of a stage</source>
        <translation>ステージのモデルチャンク数</translation>
    </message>
    <message>
        <source>Model chunks per pipeline stage, v; above 1 the schedule is interleaved. Megatron: --num-layers-per-virtual-pipeline-stage = layers / (p v)</source>
        <translation>パイプラインステージあたりのモデルチャンク数 v。1 より大きいとインターリーブになります。Megatron: --num-layers-per-virtual-pipeline-stage = layers / (p v)</translation>
    </message>
    <message>
        <source>Model preset</source>
        <translation>モデルのプリセット</translation>
    </message>
    <message>
        <source>Model state</source>
        <translation>モデル状態</translation>
    </message>
    <message>
        <source>Modelled</source>
        <translation>モデル値</translation>
    </message>
    <message>
        <source>Modelled joules follow from the preset's power figures, which nothing here measured.</source>
        <translation>モデルのジュールはプリセットの電力の値から求めます。ここでは測定していません。</translation>
    </message>
    <message>
        <source>Modelled joules follow from watts that the power bench measured, and from the preset's where it told nothing.</source>
        <translation>モデルのジュールは、電力のベンチが測定したワットと、測定できなかったところではプリセットのワットから求めます。</translation>
    </message>
    <message>
        <source>Modelled: devices</source>
        <translation>モデル: デバイス</translation>
    </message>
    <message>
        <source>Modelled: hosts</source>
        <translation>モデル: ホスト</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>Modules that are listed</source>
        <translation>指定されたモジュール</translation>
    </message>
    <message>
        <source>Modules that predict further tokens</source>
        <translation>先のトークンを予測するモジュール</translation>
    </message>
    <message>
        <source>Modules that predict further tokens keep products in 16 bits</source>
        <translation>先のトークンを予測するモジュールの行列積は 16 ビットのままです</translation>
    </message>
    <message>
        <source>Moments beside the states</source>
        <translation>状態のほかのモーメント</translation>
    </message>
    <message>
        <source>Moments in fp32</source>
        <translation>fp32 のモーメント</translation>
    </message>
    <message>
        <source>Moments that such an update holds besides the states: one, and two before PyTorch 2.1</source>
        <translation>そのような更新が状態のほかに保持するモーメント。一つ、PyTorch 2.1 より前は二つ</translation>
    </message>
    <message>
        <source>Momentum. fp8 has one scale a tensor, scaled_8bit one for every 2,048 values. Megatron: --exp-avg-dtype; torchtitan: optimizer.implementation fused_opt_states_bf16</source>
        <translation>モーメンタムです。fp8 はテンソルごとに 1 つ、scaled_8bit は 2,048 個の値ごとに 1 つのスケールを持ちます。Megatron: --exp-avg-dtype。torchtitan: optimizer.implementation fused_opt_states_bf16</translation>
    </message>
    <message>
        <source>More (%1)</source>
        <translation>ほか %1 件</translation>
    </message>
    <message>
        <source>More about the layout</source>
        <translation>並列構成の詳細</translation>
    </message>
    <message>
        <source>More about the machine</source>
        <translation>計算機の詳細</translation>
    </message>
    <message>
        <source>More about the model</source>
        <translation>モデルの詳細</translation>
    </message>
    <message>
        <source>More about the run</source>
        <translation>実行の詳細</translation>
    </message>
    <message>
        <source>More about the software</source>
        <translation>ソフトウェアの詳細</translation>
    </message>
    <message>
        <source>More node-hours</source>
        <translation>ノード時間を増やす</translation>
    </message>
    <message>
        <source>More of it where a part of the all-to-all runs beside other work</source>
        <translation>all-to-all の一部がほかの処理と並行するときの追加</translation>
    </message>
    <message>
        <source>More of it where the layer's attention is latent, per forward pass, twice this backward</source>
        <translation>層のアテンションが潜在型のときに加わる分。順伝播 1 回あたりで、逆伝播ではこの 2 倍</translation>
    </message>
    <message>
        <source>More time</source>
        <translation>時間を延ばす</translation>
    </message>
    <message>
        <source>More time means more repetitions, never other layouts</source>
        <translation>時間を増やすと繰り返しが増えます。構成は増えません</translation>
    </message>
    <message>
        <source>Most energy of the facility</source>
        <translation>施設の最大電力量</translation>
    </message>
    <message>
        <source>Most money</source>
        <translation>最大の費用</translation>
    </message>
    <message>
        <source>Most node-hours</source>
        <translation>最大のノード時間</translation>
    </message>
    <message>
        <source>Most nodes</source>
        <translation>最大ノード数</translation>
    </message>
    <message>
        <source>Most nodes the experts of one token may lie on (device-limited routing); 0 is no limit. Megatron: --moe-router-group-topk</source>
        <translation>1 トークンのエキスパートが置かれる最大ノード数（デバイス制限ルーティング）。0 は無制限。Megatron: --moe-router-group-topk</translation>
    </message>
    <message>
        <source>Most power of the facility</source>
        <translation>施設の電力の上限</translation>
    </message>
    <message>
        <source>Move the plan to the left</source>
        <translation>計画を左へ移動</translation>
    </message>
    <message>
        <source>Move the plan to the right</source>
        <translation>計画を右へ移動</translation>
    </message>
    <message>
        <source>Moves in turn</source>
        <translation>順番に移動</translation>
    </message>
    <message>
        <source>Moving states</source>
        <translation>状態の移動</translation>
    </message>
    <message>
        <source>Moving, updating and moving back</source>
        <translation>移動、更新、戻りの移動</translation>
    </message>
    <message>
        <source>Multiplied gradients to all replicas</source>
        <translation>前処理した勾配を全レプリカへ</translation>
    </message>
    <message>
        <source>Multiplies the bytes of materialised softmax</source>
        <translation>実体化する softmax のバイト数に掛ける係数</translation>
    </message>
    <message>
        <source>Muon over replicas</source>
        <translation>レプリカへの Muon の分担</translation>
    </message>
    <message>
        <source>Muon over tensor ranks</source>
        <translation>テンソルランクへの Muon の分担</translation>
    </message>
    <message>
        <source>N&amp;odes</source>
        <translation>ノード数(&amp;O)</translation>
    </message>
    <message>
        <source>NF4 stands for it, which has as many bits</source>
        <translation>ビット数が同じ NF4 を代わりに用います</translation>
    </message>
    <message>
        <source>NNodes</source>
        <translation>NNodes</translation>
    </message>
    <message>
        <source>NVMe capacity</source>
        <translation>NVMe 容量</translation>
    </message>
    <message>
        <source>NVMe drives</source>
        <translation>NVMe ドライブ</translation>
    </message>
    <message>
        <source>NVMe endurance</source>
        <translation>NVMe 耐久性</translation>
    </message>
    <message>
        <source>NVMe read</source>
        <translation>NVMe 読み込み</translation>
    </message>
    <message>
        <source>NVMe write</source>
        <translation>NVMe 書き込み</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Name of the plan</source>
        <translation>計画の名前</translation>
    </message>
    <message>
        <source>Name of the plan; exported files start with it</source>
        <translation>計画の名前。書き出すファイル名の先頭になります</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>実行の名前</translation>
    </message>
    <message>
        <source>Narrowed from {1} %</source>
        <translation>{1} % から縮小</translation>
    </message>
    <message>
        <source>Narrower width of an expert's weights at which half the rate is reached</source>
        <translation>速度が半分になるエキスパート重みの狭い側の幅</translation>
    </message>
    <message>
        <source>Native context</source>
        <translation>元のコンテキスト長</translation>
    </message>
    <message>
        <source>Nearest plan: %1</source>
        <translation>最も近い計画: %1</translation>
    </message>
    <message>
        <source>Nearest: {1} of {2} {3}; runs less alike count less.</source>
        <translation>最も近いもの: {2}の{1}{3}。似ていない実行ほど重みは小さくなります。</translation>
    </message>
    <message>
        <source>Nearest: {1}, {2}</source>
        <translation>最も近い: {1}、{2}</translation>
    </message>
    <message>
        <source>Nearly fit</source>
        <translation>あと少し</translation>
    </message>
    <message>
        <source>Nearly fit (%1)</source>
        <translation>あと少し (%1)</translation>
    </message>
    <message>
        <source>Needed by each device during passes</source>
        <translation>パス中に各デバイスが必要とする量</translation>
    </message>
    <message>
        <source>Neither narrowed nor widened</source>
        <translation>変化なし</translation>
    </message>
    <message>
        <source>Neither the machine nor its software can be corrected so that the plan explains these steps: nothing was searched.</source>
        <translation>計算機やソフトウェアを補正しても、計画でこのステップを説明できません。探索していません。</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>ネットワーク</translation>
    </message>
    <message>
        <source>Network bandwidth</source>
        <translation>ネットワーク帯域</translation>
    </message>
    <message>
        <source>Network between nodes</source>
        <translation>ノード間ネットワーク</translation>
    </message>
    <message>
        <source>Network inside a node</source>
        <translation>ノード内ネットワーク</translation>
    </message>
    <message>
        <source>Network level {1}, {2}</source>
        <translation>ネットワーク第 {1} 階層、{2}</translation>
    </message>
    <message>
        <source>Network power</source>
        <translation>ネットワークの電力</translation>
    </message>
    <message>
        <source>Network, {1}: {2}</source>
        <translation>ネットワーク、{1}: {2}</translation>
    </message>
    <message>
        <source>Network: all-gathers over all-reduces</source>
        <translation>ネットワーク: all-reduce に対する all-gather</translation>
    </message>
    <message>
        <source>Network: bandwidth</source>
        <translation>ネットワーク: 帯域</translation>
    </message>
    <message>
        <source>Network: bandwidth of large messages</source>
        <translation>ネットワーク: 大きなメッセージの帯域</translation>
    </message>
    <message>
        <source>Network: latency</source>
        <translation>ネットワーク: 遅延</translation>
    </message>
    <message>
        <source>Network: messages over all-reduces</source>
        <translation>ネットワーク: all-reduce に対するメッセージ</translation>
    </message>
    <message>
        <source>Network: reduce-scatters over all-reduces</source>
        <translation>ネットワーク: all-reduce に対する reduce-scatter</translation>
    </message>
    <message>
        <source>Network: share of the bandwidth</source>
        <translation>ネットワーク: 帯域比</translation>
    </message>
    <message>
        <source>Network: size of large messages</source>
        <translation>ネットワーク: 大きなメッセージの大きさ</translation>
    </message>
    <message>
        <source>New here? Five notes show the window; the Help menu has them again later.</source>
        <translation>はじめてですか？5 つの説明でウィンドウを案内します。あとでヘルプメニューからも見られます。</translation>
    </message>
    <message>
        <source>Newton-Schulz iterations</source>
        <translation>Newton-Schulz の反復</translation>
    </message>
    <message>
        <source>Newton-Schulz iterations on the momentum of every matrix</source>
        <translation>各行列のモーメンタムに対する Newton-Schulz の反復</translation>
    </message>
    <message>
        <source>Next plan</source>
        <translation>次の計画</translation>
    </message>
    <message>
        <source>No account is named; the site's default pays.</source>
        <translation>アカウントの指定がないため、サイトの既定に課金されます。</translation>
    </message>
    <message>
        <source>No change of layout or nodes fits: see what nearly does</source>
        <translation>構成やノード数の変更では収まりません。近いものを見る</translation>
    </message>
    <message>
        <source>No change that was tried makes it run: see the layouts</source>
        <translation>試した変更ではどれも実行できません: レイアウトを見る</translation>
    </message>
    <message>
        <source>No change that was tried surely fits.</source>
        <translation>試した変更に、確実に収まるものはありません。</translation>
    </message>
    <message>
        <source>No framework here is told to compress what ranks exchange. Nearest: no compression.</source>
        <translation>ここのどのフレームワークにも、ランク間の通信の圧縮は指定できません。最も近い値: 圧縮なし。</translation>
    </message>
    <message>
        <source>No input is called "%1".</source>
        <translation>「%1」という名前の入力項目はありません。</translation>
    </message>
    <message>
        <source>No kind of layer has the letter {1}; there are {2}.</source>
        <translation>文字 {1} の種類はありません。あるのは {2} です。</translation>
    </message>
    <message>
        <source>No larger batch can be computed with this layout.</source>
        <translation>この並列構成では、これより大きいバッチは計算できません。</translation>
    </message>
    <message>
        <source>No layout fits, the present one neither: the plan says what it lacks.</source>
        <translation>現在の構成を含め、収まる構成がありません。不足は計画が示しています。</translation>
    </message>
    <message>
        <source>No layout fits, whatever the number of nodes</source>
        <translation>ノード数によらず収まる構成がありません</translation>
    </message>
    <message>
        <source>No layout fits.</source>
        <translation>収まる構成がありません。</translation>
    </message>
    <message>
        <source>No layout of these devices fits; the nearest are on the Layouts page</source>
        <translation>このデバイス数に収まる並列構成はありません。近いものは「並列構成」ページにあります</translation>
    </message>
    <message>
        <source>No layout of {1} fits in the memory of {2}.</source>
        <translation>{1} のどの並列構成も {2} のメモリに収まらない。</translation>
    </message>
    <message>
        <source>No layout ran far enough to be compared.</source>
        <translation>比較できるところまで進んだ構成がありません。</translation>
    </message>
    <message>
        <source>No layout that was held back counts: no error can be stated.</source>
        <translation>検証用に除外した構成で有効なものがなく、誤差を示せません。</translation>
    </message>
    <message>
        <source>No layout to show yet.</source>
        <translation>表示する並列構成はまだありません。</translation>
    </message>
    <message>
        <source>No library's attention was measured, so the device keeps the preset's: {1}.</source>
        <translation>ライブラリのアテンションは測れなかったため、デバイスの数値はプリセットのままです: {1}。</translation>
    </message>
    <message>
        <source>No line for %1 s. The engine ends by itself after 30 s without progress; pressing Stop twice ends it.</source>
        <translation>%1 秒間出力がありません。30 秒進まないとエンジンは自動的に終了します。「停止」を 2 回押すと終わります。</translation>
    </message>
    <message>
        <source>No line for %1 s: the engine ends by itself when its ranks make no progress.</source>
        <translation>%1 秒間出力がありません。ランクが進まない場合、エンジンは自動的に終了します。</translation>
    </message>
    <message>
        <source>No list of stages</source>
        <translation>ステージのリストなし</translation>
    </message>
    <message>
        <source>No logs yet. Write the job, submit job.sh in its folder, and come back: its logs are read while it runs. Those of a job that ran elsewhere are read back from their folder.</source>
        <translation>ログはまだありません。ジョブを書き出し、そのフォルダーで job.sh を投入してから戻ってください。実行中もログを読みます。別の場所で行ったジョブのログは、そのフォルダーから読み戻します。</translation>
    </message>
    <message>
        <source>No machine has a layout that fits on {1}.</source>
        <translation>{1} で収まる構成のある計算機はありません。</translation>
    </message>
    <message>
        <source>No machine has devices that hold it.</source>
        <translation>これを保持できるデバイスを持つ計算機はありません。</translation>
    </message>
    <message>
        <source>No measured run counts any more; Undo brings them back</source>
        <translation>実測はもう反映されていません。元に戻すで復元できます</translation>
    </message>
    <message>
        <source>No mixer</source>
        <translation>ミキサーなし</translation>
    </message>
    <message>
        <source>No model of more than %1 parameters was tried: a larger answer begins from a larger model.</source>
        <translation>パラメータ数が %1 を超えるモデルは試していません。より大きな答えは、大きいモデルから始めてください。</translation>
    </message>
    <message>
        <source>No notes</source>
        <translation>注記なし</translation>
    </message>
    <message>
        <source>No number of nodes trains it within {1} node-hours.</source>
        <translation>{1} ノード時間以内に学習できるノード数はありません。</translation>
    </message>
    <message>
        <source>No numbers for this plan yet. What stands in the way is listed above.</source>
        <translation>この計画の数値はまだありません。妨げている原因は上に示しています。</translation>
    </message>
    <message>
        <source>No other plan is picked.</source>
        <translation>比べる計画が選ばれていません。</translation>
    </message>
    <message>
        <source>No other plan is ticked under Plans. Plans of the same model are ticked from the start.</source>
        <translation>「計画」で他の計画にチェックがありません。同じモデルの計画には最初からチェックが付きます。</translation>
    </message>
    <message>
        <source>No other schedule that fits has a shorter step than the plan's {1}.</source>
        <translation>収まるほかのスケジュールに、計画の {1} より短いステップのものはありません。</translation>
    </message>
    <message>
        <source>No part of the plan that fits in memory ends within {1}. Nearest: a longer job, or more nodes.</source>
        <translation>メモリに収まる計画の縮小版で {1} 以内に終わるものはありません。最も近い方法: より長いジョブ、またはより多くのノード。</translation>
    </message>
    <message>
        <source>No plan is within all limits; %1 were tried.</source>
        <translation>全制限内の計画はありません。%1 通りを試しました。</translation>
    </message>
    <message>
        <source>No plan that mixes strategies is faster than one for all layers.</source>
        <translation>方式を混ぜても、全層で同じ方式より速い計画はありません。</translation>
    </message>
    <message>
        <source>No prediction for this layout.</source>
        <translation>この構成の予測はありません。</translation>
    </message>
    <message>
        <source>No prediction for this plan.</source>
        <translation>この計画の予測はありません。</translation>
    </message>
    <message>
        <source>No price of an hour is known: the machine's preset states none. A machine of your own may have one.</source>
        <translation>1 時間の料金が分かりません。計算機のプリセットに記載がありません。自分の計算機なら設定できます。</translation>
    </message>
    <message>
        <source>No price of {1} is known: state one first.</source>
        <translation>{1} の価格は分かっていません。先に入力してください。</translation>
    </message>
    <message>
        <source>No profile of a programme could be read.</source>
        <translation>プログラムの情報を読めませんでした。</translation>
    </message>
    <message>
        <source>No progress: a failure comes every {1}, before a checkpoint ({2}) and a restart ({3}) are done.</source>
        <translation>進みません: {1} ごとに障害が起き、チェックポイント（{2}）と再起動（{3}）が終わりません。</translation>
    </message>
    <message>
        <source>No progress: with a checkpoint every {1}, checkpoints, repeated work and restarts take all of the time.</source>
        <translation>進みません: {1} ごとのチェックポイントでは、チェックポイント、やり直し、再起動がすべての時間を占めます。</translation>
    </message>
    <message>
        <source>No proposal</source>
        <translation>申請書なし</translation>
    </message>
    <message>
        <source>No published run could be compared yet.</source>
        <translation>比較できた公表事例はまだありません。</translation>
    </message>
    <message>
        <source>No published run to judge by.</source>
        <translation>判断の基準になる公表事例がありません。</translation>
    </message>
    <message>
        <source>No published runs to check against</source>
        <translation>照合できる公表事例がありません</translation>
    </message>
    <message>
        <source>No rate of exchange is built in: without one prices stay in their own currency</source>
        <translation>為替レートは内蔵されていません。入力がなければ、価格は元の通貨のままです</translation>
    </message>
    <message>
        <source>No recompute</source>
        <translation>再計算なし</translation>
    </message>
    <message>
        <source>No run of your own is kept</source>
        <translation>登録した実測はありません</translation>
    </message>
    <message>
        <source>No run was complete: nothing can be gone on from.</source>
        <translation>完了した実行がなく、続きから再開できません。</translation>
    </message>
    <message>
        <source>No run was held back to test the prediction.</source>
        <translation>予測の検証用に除外した実行はありません。</translation>
    </message>
    <message>
        <source>No scaling run is beside this plan</source>
        <translation>この計画に並ぶスケーリングの実測はありません</translation>
    </message>
    <message>
        <source>No script: the reason stands above.</source>
        <translation>スクリプトはありません。理由は上に示しています。</translation>
    </message>
    <message>
        <source>No script: the reasons stand above.</source>
        <translation>スクリプトはありません。理由は上にあります。</translation>
    </message>
    <message>
        <source>No short run is measured yet.</source>
        <translation>測定された短い実行はまだありません。</translation>
    </message>
    <message>
        <source>No single limit keeps a better plan away.</source>
        <translation>単独でより良い計画を妨げている制限はありません。</translation>
    </message>
    <message>
        <source>No single part explains it by being off by less than a factor of {1}: several are off, or something that is not in the step, as data loading.</source>
        <translation>{1} 倍未満のずれで差を説明できる部分は一つもありません。複数の部分がずれているか、データの読み込みなどステップに含まれないものが原因です。</translation>
    </message>
    <message>
        <source>No single strategy for all layers fits.</source>
        <translation>全層で同じ方式では収まりません。</translation>
    </message>
    <message>
        <source>No split with tensor groups inside a node fits.</source>
        <translation>テンソルグループがノード内に収まる分割で、メモリに収まるものはありません。</translation>
    </message>
    <message>
        <source>No stage is busier.</source>
        <translation>最も忙しいステージです。</translation>
    </message>
    <message>
        <source>No states leave the devices</source>
        <translation>デバイスを出る状態がありません</translation>
    </message>
    <message>
        <source>No timeline yet: the plan cannot be computed as it stands</source>
        <translation>タイムラインはまだありません。計画が現状では計算できません</translation>
    </message>
    <message>
        <source>No {1}</source>
        <translation>{1}なし</translation>
    </message>
    <message>
        <source>No: with a global batch of {2} instead of {1} the MFU falls from {3} to {4}.</source>
        <translation>いいえ：グローバルバッチを {1} から {2} にすると、MFU は {3} から {4} に下がります。</translation>
    </message>
    <message>
        <source>No: with a global batch of {2} instead of {1} the MFU stays at {3}.</source>
        <translation>いいえ：グローバルバッチを {1} から {2} にしても、MFU は {3} のままです。</translation>
    </message>
    <message>
        <source>Nobody waits, negative</source>
        <translation>待ちが生じない上限（負）</translation>
    </message>
    <message>
        <source>Node-&amp;hours</source>
        <translation>ノード時間(&amp;H)</translation>
    </message>
    <message>
        <source>Node-, device- and core-hours, what the site charges, and the time on so many devices</source>
        <translation>ノード・デバイス・コア時間、センターの課金単位と、指定したデバイス数での所要時間</translation>
    </message>
    <message>
        <source>Node-hours</source>
        <translation>ノード時間</translation>
    </message>
    <message>
        <source>Node-hours at the predicted rate</source>
        <translation>予測速度でのノード時間</translation>
    </message>
    <message>
        <source>Node-hours of the run</source>
        <translation>実行のノード時間</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>ノード数</translation>
    </message>
    <message>
        <source>Nodes and network</source>
        <translation>ノードとネットワーク</translation>
    </message>
    <message>
        <source>Nodes of the whole machine</source>
        <translation>計算機全体のノード数</translation>
    </message>
    <message>
        <source>Nodes per token</source>
        <translation>トークンあたりのノード</translation>
    </message>
    <message>
        <source>Nodes that share a network of their own; 0 without. The machine has the nodes of all its clusters</source>
        <translation>専用のネットワークを共有するノード数。なければ 0。計算機のノード数は全クラスタの合計です</translation>
    </message>
    <message>
        <source>Nodes that take part</source>
        <translation>参加ノード数</translation>
    </message>
    <message>
        <source>Nodes, by the share of their devices</source>
        <translation>ノード数 (デバイスの割合による)</translation>
    </message>
    <message>
        <source>Nodes: {1}</source>
        <translation>ノード数: {1}</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>None found</source>
        <translation>見つかりません</translation>
    </message>
    <message>
        <source>None of %1 splits of these devices fits in memory</source>
        <translation>このデバイスの %1 通りの分割はどれもメモリに収まりません</translation>
    </message>
    <message>
        <source>None of the runs can be predicted; the page Validation says why, with the same file.</source>
        <translation>どの実行も予測できません。理由は「検証」ページで同じファイルを開くと分かります。</translation>
    </message>
    <message>
        <source>None of the {1} layouts kept surely fits.</source>
        <translation>残した {1} 構成の中に、確実に収まるものはありません。</translation>
    </message>
    <message>
        <source>None of {1} splits of these devices fits in memory.</source>
        <translation>これらのデバイスの {1} 通りの分割のどれもメモリに収まりません。</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>まだありません</translation>
    </message>
    <message>
        <source>None: %1.</source>
        <translation>なし: %1</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>正規化</translation>
    </message>
    <message>
        <source>Norms per layer</source>
        <translation>層あたりの正規化</translation>
    </message>
    <message>
        <source>Norms that stand alone (layernorm), forward again</source>
        <translation>独立した正規化 (layernorm)、順伝播の再計算</translation>
    </message>
    <message>
        <source>Not complete: {1}. A preset is made of a calibration that went to its end.</source>
        <translation>完了していません: {1}。プリセットは、最後まで終わった較正から作られます。</translation>
    </message>
    <message>
        <source>Not finished</source>
        <translation>未完了</translation>
    </message>
    <message>
        <source>Not finished: %1.</source>
        <translation>未完了: %1。</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>Not modelled</source>
        <translation>モデル化の対象外</translation>
    </message>
    <message>
        <source>Not read, for they are logs of other runs: %1.</source>
        <translation>別の実行のログなので読まなかったもの: %1。</translation>
    </message>
    <message>
        <source>Not scored</source>
        <translation>対象外</translation>
    </message>
    <message>
        <source>Not there yet: %1</source>
        <translation>まだないもの: %1</translation>
    </message>
    <message>
        <source>Not understood, %1</source>
        <translation>解釈できません、%1</translation>
    </message>
    <message>
        <source>Not used in this plan</source>
        <translation>この計画では未使用</translation>
    </message>
    <message>
        <source>Not what was typed.</source>
        <translation>入力された値は使われていません。</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>Nothing can be calibrated for this plan:</source>
        <translation>この計画では何も較正できません:</translation>
    </message>
    <message>
        <source>Nothing can be varied.</source>
        <translation>変えられるものがありません。</translation>
    </message>
    <message>
        <source>Nothing fits on any number of nodes.</source>
        <translation>どのノード数でも収まりません。</translation>
    </message>
    <message>
        <source>Nothing fits: no strategies of the layers of any pipeline need at most {1} on a device.</source>
        <translation>収まりません。どのパイプラインでも、デバイスあたり {1} 以下で済む層の方式はありません。</translation>
    </message>
    <message>
        <source>Nothing is called "%1".</source>
        <translation>「%1」という名前のものはありません。</translation>
    </message>
    <message>
        <source>Nothing is kept on drives</source>
        <translation>ドライブには何も置かない</translation>
    </message>
    <message>
        <source>Nothing moves</source>
        <translation>移動なし</translation>
    </message>
    <message>
        <source>Nothing of this log can be shown</source>
        <translation>このログに表示できるものがありません</translation>
    </message>
    <message>
        <source>Nothing runs any more</source>
        <translation>実行中の処理はありません</translation>
    </message>
    <message>
        <source>Nothing searched yet.</source>
        <translation>まだ探索していません。</translation>
    </message>
    <message>
        <source>Nothing to explain.</source>
        <translation>説明する数値がありません。</translation>
    </message>
    <message>
        <source>Nothing was measured that a constant could be fitted to.</source>
        <translation>定数を当てはめられる測定がありません。</translation>
    </message>
    <message>
        <source>Nothing: fewest devices</source>
        <translation>なし: 最少のデバイス</translation>
    </message>
    <message>
        <source>Nothing: the fused kernel repeats its scores anyway</source>
        <translation>なし: 融合カーネルはもともとスコアを計算し直します</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>お知らせ</translation>
    </message>
    <message>
        <source>Notice, replace, start</source>
        <translation>検知、交換、起動</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>現在</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>Number field: back to the plan's value</source>
        <translation>数値欄: 計画の値に戻す</translation>
    </message>
    <message>
        <source>Number field: next valid value</source>
        <translation>数値欄: 次の有効な値</translation>
    </message>
    <message>
        <source>Number field: next value, valid or not</source>
        <translation>数値欄: 有効かどうかによらず次の値</translation>
    </message>
    <message>
        <source>Number format of the matrix products. Megatron: --bf16, --fp16, --fp8-format</source>
        <translation>行列積の数値形式。Megatron: --bf16, --fp16, --fp8-format</translation>
    </message>
    <message>
        <source>Number to explain</source>
        <translation>説明する数値</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数値</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>対象</translation>
    </message>
    <message>
        <source>Of a library's attention {1} of {2} points were measured: {3}.</source>
        <translation>ライブラリのアテンションは {2} 点のうち {1} 点を測りました: {3}。</translation>
    </message>
    <message>
        <source>Of a step</source>
        <translation>ステップの割合</translation>
    </message>
    <message>
        <source>Of all chunks</source>
        <translation>すべての分割</translation>
    </message>
    <message>
        <source>Of all layers</source>
        <translation>全層の分</translation>
    </message>
    <message>
        <source>Of all other runs</source>
        <translation>ほかの全実行に対して</translation>
    </message>
    <message>
        <source>Of all searches beside the window together. Answers do not depend on it</source>
        <translation>並行するすべての探索の合計。結果は変わりません</translation>
    </message>
    <message>
        <source>Of all tensor x pipeline splits that fit, the one with the shortest step; a search of layouts turns more</source>
        <translation>メモリに収まるすべてのテンソル × パイプライン分割のうち、ステップが最短のもの。並列構成の探索ではさらに多くを変えます</translation>
    </message>
    <message>
        <source>Of another batch</source>
        <translation>別のバッチのステップ</translation>
    </message>
    <message>
        <source>Of each branch when gated; 4 h in the GPT family. Megatron: --ffn-hidden-size</source>
        <translation>ゲート付きでは各分岐の幅。GPT 系では 4 h。Megatron: --ffn-hidden-size</translation>
    </message>
    <message>
        <source>Of each exchange, besides the network's latency: layout of the tokens, notifying, waiting</source>
        <translation>交換ごとの、ネットワーク遅延以外の時間: トークンの配置、通知、待ち</translation>
    </message>
    <message>
        <source>Of every run; the first twenty warm it up</source>
        <translation>各実行のステップ数。最初の 20 はウォームアップです</translation>
    </message>
    <message>
        <source>Of every update of a matrix. Megatron: --muon-num-ns-steps</source>
        <translation>行列の更新 1 回あたり。Megatron: --muon-num-ns-steps</translation>
    </message>
    <message>
        <source>Of its bandwidth, by a large ring</source>
        <translation>大きなリングでの帯域比</translation>
    </message>
    <message>
        <source>Of latent attention. Megatron: --v-head-dim</source>
        <translation>潜在アテンションのもの。Megatron: --v-head-dim</translation>
    </message>
    <message>
        <source>Of one device</source>
        <translation>1 デバイス</translation>
    </message>
    <message>
        <source>Of one device (TDP)</source>
        <translation>1 デバイス (TDP)</translation>
    </message>
    <message>
        <source>Of one device's memory, as the vendor states it</source>
        <translation>1 デバイスのメモリ帯域（ベンダー公称値）</translation>
    </message>
    <message>
        <source>Of one drive</source>
        <translation>1 ドライブ</translation>
    </message>
    <message>
        <source>Of one rank</source>
        <translation>1 ランク分</translation>
    </message>
    <message>
        <source>Of one sequence</source>
        <translation>1 系列のばらつき</translation>
    </message>
    <message>
        <source>Of one step, hosts, network and cooling included</source>
        <translation>1 ステップ分。ホスト、ネットワーク、冷却を含む</translation>
    </message>
    <message>
        <source>Of one tensor rank</source>
        <translation>1 テンソルランク分</translation>
    </message>
    <message>
        <source>Of predicted and measured times within a sweep, median over sweeps: 1 is the same order</source>
        <translation>掃引内の予測時間と実測時間の順位相関の、掃引間の中央値。1 は同じ順序です</translation>
    </message>
    <message>
        <source>Of the bandwidth of every level beyond the node, by a large ring</source>
        <translation>ノード外の各階層の、大きなリングでの帯域比</translation>
    </message>
    <message>
        <source>Of the engine, for each one after the first</source>
        <translation>2 つ目以降の各マイクロバッチについてのエンジンの時間</translation>
    </message>
    <message>
        <source>Of the exposed all-to-all, what is left of a forward and a backward pass side by side, as the combined schedule has them; 1: the software has no such schedule</source>
        <translation>露出した all-to-all のうち、combined スケジュールのように順伝播と逆伝播を並べたときに残る割合。1 ならソフトウェアにそのスケジュールはありません</translation>
    </message>
    <message>
        <source>Of the facility while the plan trains, PUE counted. Searches leave out what draws more, and a plan that does is cautioned</source>
        <translation>計画の学習中の施設全体、PUE を含みます。探索はこれを超えるものを除き、超える計画には注意を表示します</translation>
    </message>
    <message>
        <source>Of the feed-forward matrices, those of routed experts, too</source>
        <translation>フィードフォワードの行列のうち、ルーティングされるエキスパートのものも含めます</translation>
    </message>
    <message>
        <source>Of the fullest device. A sign marks layouts that may not fit</source>
        <translation>最も多く使うデバイスのもの。印は収まらないおそれのある構成です</translation>
    </message>
    <message>
        <source>Of the last plan that could be computed</source>
        <translation>最後に計算できた計画のものです</translation>
    </message>
    <message>
        <source>Of the last plan that could be computed. </source>
        <translation>直前に計算できた計画のものです。</translation>
    </message>
    <message>
        <source>Of the last plan that could be computed: %1</source>
        <translation>最後に計算できた計画のもの: %1</translation>
    </message>
    <message>
        <source>Of the last valid plan. </source>
        <translation>直前の有効な計画のものです。</translation>
    </message>
    <message>
        <source>Of the layers on the stage</source>
        <translation>ステージの層のうち</translation>
    </message>
    <message>
        <source>Of the micro-batch at work</source>
        <translation>処理中のマイクロバッチ</translation>
    </message>
    <message>
        <source>Of the nearest plan, %1. </source>
        <translation>最も近い計画（%1）のものです。</translation>
    </message>
    <message>
        <source>Of the other layers every n-th has experts. Megatron: --moe-layer-freq</source>
        <translation>ほかの層のうち n 層ごとにエキスパートを持ちます。Megatron: --moe-layer-freq</translation>
    </message>
    <message>
        <source>Of the others</source>
        <translation>その他</translation>
    </message>
    <message>
        <source>Of the parameters, those whose optimizer state leaves the devices and which the CPUs update. Megatron: --optimizer-offload-fraction</source>
        <translation>オプティマイザの状態がデバイスを離れ、CPU が更新するパラメータの割合。Megatron: --optimizer-offload-fraction</translation>
    </message>
    <message>
        <source>Of the plan as it stands: the median step once it runs steadily, and the memory of the fullest device. Plans that differ from it in layers, replicas and pipeline stages alone take nearly all of its error; of others on this machine and software it says little.</source>
        <translation>今の計画について、安定して動くようになってからのステップ時間の中央値と、最も使用量の多いデバイスのメモリです。層数、レプリカ数、パイプラインのステージだけが異なる計画は、その誤差をほぼすべて引き継ぎます。同じ計算機とソフトウェアのほかの計画については、わずかしか語りません。</translation>
    </message>
    <message>
        <source>Of the regrets, where runs that stood still by chance may be chosen: what whoever ran them paid</source>
        <translation>偶然に停滞した実行も選ばれうるとしたときの後悔の平均。それを実行した人が払った分です</translation>
    </message>
    <message>
        <source>Of the regrets, without runs that stood still by chance</source>
        <translation>偶然に停滞した実行を除いた後悔の平均</translation>
    </message>
    <message>
        <source>Of the schedules that fit, {1} has the shortest step.</source>
        <translation>収まるスケジュールのうち、{1} のステップが最短です。</translation>
    </message>
    <message>
        <source>Of the schedules that fit, {1} has the shortest step: {2} % less time than the plan's.</source>
        <translation>収まるスケジュールのうち、{1} のステップが最短です。計画より {2} % 短くなります。</translation>
    </message>
    <message>
        <source>Of those that wait</source>
        <translation>待っているもの</translation>
    </message>
    <message>
        <source>Of ulysses_ring: neighbours that exchange tokens for heads, best inside a node; c / this form a ring. Megatron: the first of --hierarchical-context-parallel-sizes</source>
        <translation>ulysses_ring で、トークンをヘッドと交換する隣どうしの数。ノード内に収めるのが最良です。c をこの数で割ったものがリングになります。Megatron: --hierarchical-context-parallel-sizes の最初の値</translation>
    </message>
    <message>
        <source>Off: its time shows none, as in the DeepSpeed pipeline engine</source>
        <translation>オフ: 時間に再計算が現れません（DeepSpeed のパイプラインエンジン）</translation>
    </message>
    <message>
        <source>Offload</source>
        <translation>オフロード</translation>
    </message>
    <message>
        <source>Offload attention core</source>
        <translation>アテンション本体をオフロード</translation>
    </message>
    <message>
        <source>Offload attention input</source>
        <translation>アテンションの入力をオフロード</translation>
    </message>
    <message>
        <source>Offload attention output</source>
        <translation>アテンションの出力をオフロード</translation>
    </message>
    <message>
        <source>Offload before expert activation</source>
        <translation>エキスパートの活性化関数の入力をオフロード</translation>
    </message>
    <message>
        <source>Offload expert input</source>
        <translation>エキスパートの入力をオフロード</translation>
    </message>
    <message>
        <source>Offload norm before attention</source>
        <translation>アテンション前の正規化をオフロード</translation>
    </message>
    <message>
        <source>Offload norm before experts</source>
        <translation>エキスパート前の正規化をオフロード</translation>
    </message>
    <message>
        <source>Offload wait</source>
        <translation>オフロードの待ち</translation>
    </message>
    <message>
        <source>Offloads by module</source>
        <translation>モジュールごとのオフロード</translation>
    </message>
    <message>
        <source>On elementwise bytes: below 1 fused, above 1 not</source>
        <translation>要素演算のバイト数に掛ける係数: 融合なら 1 未満、非融合なら 1 超</translation>
    </message>
    <message>
        <source>On so many &amp;devices:</source>
        <translation>使うデバイス数(&amp;D)：</translation>
    </message>
    <message>
        <source>On the bytes that converting to fp8 moves</source>
        <translation>fp8 への変換が動かすバイト数に掛ける係数</translation>
    </message>
    <message>
        <source>On the bytes that rows of experts move besides products: permuting there and back, activation function</source>
        <translation>エキスパートの行が行列積以外で動かすバイト数の係数: 往復の並べ替え、活性化関数</translation>
    </message>
    <message>
        <source>On the device's GEMM ceiling</source>
        <translation>デバイスの GEMM 上限に掛ける係数</translation>
    </message>
    <message>
        <source>On the device's rate of grouped products. Megatron: --moe-grouped-gemm</source>
        <translation>デバイスのグループ行列積の速度に掛ける係数。Megatron: --moe-grouped-gemm</translation>
    </message>
    <message>
        <source>On {1} nodes of {2} a calibration takes all {3} devices of each: --ranks-per-node {3} works, and so does --nodes 1</source>
        <translation>{2} の {1} ノードでは、較正は各ノードの {3} デバイスすべてを使います。--ranks-per-node {3} か --nodes 1 なら使えます</translation>
    </message>
    <message>
        <source>On {1} the run ends first on {2}, of the machines on which runs of {3} were published; {4} would end before it by an extrapolation.</source>
        <translation>{3} の実行が公表されている計算機のうち、{1} で最も早く終わるのは {2} です。外挿では {4} の方が先に終わります。</translation>
    </message>
    <message>
        <source>On {1} the run ends first on {2}.</source>
        <translation>{1} で最も早く終わるのは {2} です。</translation>
    </message>
    <message>
        <source>On {1} the run would end first on {2}: an extrapolation, since nobody published a run of {3} on any of these machines.</source>
        <translation>{1} で最も早く終わる見込みなのは {2} です。ただし、これらの計算機での {3} の実行は公表されていないため、外挿です。</translation>
    </message>
    <message>
        <source>One &amp;CHF is:</source>
        <translation>1 CHF は(&amp;C)：</translation>
    </message>
    <message>
        <source>One activation between stages</source>
        <translation>ステージ間のアクティベーション 1 つ</translation>
    </message>
    <message>
        <source>One adapter for matrices that are multiplied as one: queries with keys and values, gate with its branch. Megatron: linear_qkv, linear_fc1</source>
        <translation>一つの積として計算する行列に一つのアダプター: クエリとキーとバリュー、ゲートとその枝。Megatron: linear_qkv, linear_fc1</translation>
    </message>
    <message>
        <source>One all-reduce of the activation</source>
        <translation>アクティベーションの all-reduce 1 回</translation>
    </message>
    <message>
        <source>One all-to-all</source>
        <translation>All-to-all 1 回</translation>
    </message>
    <message>
        <source>One checkpoint</source>
        <translation>チェックポイント 1 回</translation>
    </message>
    <message>
        <source>One chunk</source>
        <translation>1 チャンク</translation>
    </message>
    <message>
        <source>One chunk at work</source>
        <translation>処理中の分割一つ</translation>
    </message>
    <message>
        <source>One column, 85 mm</source>
        <translation>1 段、85 mm</translation>
    </message>
    <message>
        <source>One copy of the plan takes {1} nodes, and it cannot be cut to {2}. Nearest: {1}.</source>
        <translation>計画の一つの複製には {1} ノードが必要で、{2} ノードには縮められません。最も近い値: {1}。</translation>
    </message>
    <message>
        <source>One expert</source>
        <translation>1 エキスパート</translation>
    </message>
    <message>
        <source>One expert a rank is a grouped product, too; off: an ordinary one</source>
        <translation>ランクあたりエキスパート 1 個でもグループ化された行列積とする。オフ: 通常の行列積</translation>
    </message>
    <message>
        <source>One for all layers</source>
        <translation>全層で同じ方式</translation>
    </message>
    <message>
        <source>One input at a time at both ends of what it may be, all else as in the plan: what was measured over its interval, a market price over its range, everything else from 0.80 to 1.25 times the preset's, which asks what if and is no likely range. Failures and ends of jobs are counted.</source>
        <translation>入力を 1 つずつ、取りうる範囲の両端に変えます。ほかは計画のままです。実測値はその区間、市場価格はその範囲、そのほかはプリセットの 0.80 倍から 1.25 倍です。後者は仮定の問いであり、ありそうな範囲ではありません。障害とジョブ終了を含みます。</translation>
    </message>
    <message>
        <source>One input at a time at the lower and the upper end of what it may be, all else as in the plan: of measured inputs the 95 % interval, of the others 0.80 and 1.25 times the preset's. Failures, checkpoints and ends of jobs are counted.</source>
        <translation>入力を 1 つずつ、取り得る値の下限と上限に変え、ほかは計画のままにします。測定した入力は 95 % 区間、それ以外はプリセットの値の 0.80 倍と 1.25 倍です。障害、チェックポイント、ジョブの終わりを数えます。</translation>
    </message>
    <message>
        <source>One inversion</source>
        <translation>逆行列 1 回</translation>
    </message>
    <message>
        <source>One job of %1, %2, %3 node-hours. Afterwards two plans in three lie within %4 of what the runs say, nine in ten within %5.</source>
        <translation>%1、%2、%3 ノード時間の 1 つのジョブです。その後、計画の 3 分の 2 は実行が示す値から %4 以内、10 分の 9 は %5 以内に収まります。</translation>
    </message>
    <message>
        <source>One layer</source>
        <translation>1 層</translation>
    </message>
    <message>
        <source>One layer has %1 parameters.</source>
        <translation>1 層のパラメータ数は %1 です。</translation>
    </message>
    <message>
        <source>One learned number per expert. Megatron: --moe-router-enable-expert-bias</source>
        <translation>エキスパートごとの学習値。Megatron: --moe-router-enable-expert-bias</translation>
    </message>
    <message>
        <source>One measured number cannot say which part is off; this says how far off each would be if all the others were right. A profile of one step, or a second run that differs in one degree, tells them apart.</source>
        <translation>実測値が一つだけでは、どの部分がずれているかは分かりません。ここでは、他がすべて正しいとした場合に各部分がどれだけずれているかを示します。1 ステップのプロファイル、または並列度を一つだけ変えた 2 回目の実行があれば区別できます。</translation>
    </message>
    <message>
        <source>One micro-batch</source>
        <translation>1 マイクロバッチ</translation>
    </message>
    <message>
        <source>One module for all further tokens</source>
        <translation>先のトークンすべてに 1 つのモジュール</translation>
    </message>
    <message>
        <source>One more pass over the input of every adapted matrix, which keeps a copy. PEFT: lora_dropout</source>
        <translation>アダプターのある行列ごとに入力をもう一度通り、写しを保持します。PEFT: lora_dropout</translation>
    </message>
    <message>
        <source>One pair</source>
        <translation>1 組</translation>
    </message>
    <message>
        <source>One rank</source>
        <translation>1 ランク</translation>
    </message>
    <message>
        <source>One reduction of {1} B</source>
        <translation>{1} B の縮約 1 回</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>1 段</translation>
    </message>
    <message>
        <source>One strategy for all layers loses {1} against the best for each.</source>
        <translation>全層で同じ方式にすると、層ごとに最良の方式に比べて {1} 失います。</translation>
    </message>
    <message>
        <source>Only &amp;differences</source>
        <translation>違いだけ(&amp;D)</translation>
    </message>
    <message>
        <source>Only the totals at its end tell a time: they hold compilation, evaluation and saving, so that a step is shorter than they say.</source>
        <translation>時間が分かるのは最後の合計だけです。コンパイル、評価、保存を含むので、ステップはこれより短くなります。</translation>
    </message>
    <message>
        <source>Only whole steps were measured, so where the difference comes from is not known: "at worst" is the layout's gain should another row be right.
Columns named as the parts of a step (gemm, tensor_parallel, data_parallel, ...) would tell.</source>
        <translation>ステップ全体しか測定されていないため、差の原因は分かりません。「最悪時」は、別の行が正しかったときの構成の利得です。
ステップの内訳（gemm、tensor_parallel、data_parallel など）の列があれば分かります。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 を開く</translation>
    </message>
    <message>
        <source>Open &amp;folder</source>
        <translation>フォルダを開く(&amp;F)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近の計画(&amp;R)</translation>
    </message>
    <message>
        <source>Open MPI</source>
        <translation>Open MPI</translation>
    </message>
    <message>
        <source>Open a plan</source>
        <translation>計画を開く</translation>
    </message>
    <message>
        <source>Open a workspace</source>
        <translation>ワークスペースを開く</translation>
    </message>
    <message>
        <source>Open as plan</source>
        <translation>計画として開く</translation>
    </message>
    <message>
        <source>Open it as it is</source>
        <translation>このまま開く</translation>
    </message>
    <message>
        <source>Open measured steps</source>
        <translation>測定したステップを開く</translation>
    </message>
    <message>
        <source>Open measured steps...</source>
        <translation>測定したステップを開く...</translation>
    </message>
    <message>
        <source>Open the log of a calibration that ran elsewhere; it can also be dropped onto the window</source>
        <translation>別の場所で行った較正のログを開きます。ウィンドウにドロップすることもできます</translation>
    </message>
    <message>
        <source>Open workspace...</source>
        <translation>ワークスペースを開く...</translation>
    </message>
    <message>
        <source>Open-MPI</source>
        <translation>Open-MPI</translation>
    </message>
    <message>
        <source>OpenRTE</source>
        <translation>OpenRTE</translation>
    </message>
    <message>
        <source>Opened %1</source>
        <translation>%1 を開きました</translation>
    </message>
    <message>
        <source>Opened %1: %2 plans</source>
        <translation>%1を開きました: 計画%2件</translation>
    </message>
    <message>
        <source>Opens the Layouts page, which lists the layouts that lack least</source>
        <translation>不足の最も少ない構成を示す「並列構成」ページを開きます</translation>
    </message>
    <message>
        <source>Opens with the one of the plan's machine</source>
        <translation>最初は計画の計算機のものが選ばれます</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>オプティマイザ</translation>
    </message>
    <message>
        <source>Optimizer bytes</source>
        <translation>オプティマイザのバイト数</translation>
    </message>
    <message>
        <source>Optimizer kept on</source>
        <translation>オプティマイザの置き場所</translation>
    </message>
    <message>
        <source>Optimizer peak bytes</source>
        <translation>オプティマイザのピークのバイト数</translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>オプティマイザ状態</translation>
    </message>
    <message>
        <source>Optimizer steps of the run; the first one warms up</source>
        <translation>実行のオプティマイザステップ数。最初の 1 回は準備です</translation>
    </message>
    <message>
        <source>Optimizer update</source>
        <translation>オプティマイザの更新</translation>
    </message>
    <message>
        <source>Optimizer: bytes of a parameter</source>
        <translation>オプティマイザ: パラメータあたりバイト数</translation>
    </message>
    <message>
        <source>Optimum (Young)</source>
        <translation>最適値（ヤング）</translation>
    </message>
    <message>
        <source>Order of forward and backward passes in the pipeline: gpipe keeps all micro-batches in flight, 1f1b at most p, interleaved shortens the bubble v times, zb-h1 and zb-h2 fill it with weight gradients (h2 keeps twice as much in flight). With two chunks a stage, the second on the way back: zb-v holds p everywhere, v-half and v-min half and a third of that, dualpipe-v works on two micro-batches side by side. combined: interleaved, with a forward pass beside the backward pass of another micro-batch, to hide the exchange of experts; also with one stage. Megatron: --overlap-moe-expert-parallel-comm</source>
        <translation>パイプラインでの順伝播と逆伝播の順序。gpipe は全マイクロバッチを保持し、1f1b は最大 p、interleaved はバブルを v 分の 1 に縮め、zb-h1 と zb-h2 は重み勾配で埋めます（h2 は 2 倍を保持）。ステージあたり 2 チャンクで 2 つ目が戻り道にあるもの: zb-v はどこでも p を保持し、v-half と v-min はその半分と 3 分の 1、dualpipe-v は 2 つのマイクロバッチを並べて処理します。combined: エキスパートの交換を隠すために、順伝播を別のマイクロバッチの逆伝播と並べる interleaved。1 ステージでも使えます。Megatron: --overlap-moe-expert-parallel-comm</translation>
    </message>
    <message>
        <source>Other mixers</source>
        <translation>その他のミキサー</translation>
    </message>
    <message>
        <source>Other output of the engine and of mpirun</source>
        <translation>エンジンと mpirun のその他の出力</translation>
    </message>
    <message>
        <source>Other programs ran while power was measured: those loads were left out.</source>
        <translation>電力の測定中に他のプログラムが動いていたため、その負荷は除きました。</translation>
    </message>
    <message>
        <source>Other programs took processor time during {1} of {2} points of "{3}": their fastest tenth was taken, and the machine may be faster. Measure again when it is quiet.</source>
        <translation>「{3}」の {2} 点のうち {1} 点で、他のプログラムがプロセッサを使いました。最も速い 1 割を採ったため、計算機は実際にはより速いかもしれません。静かなときに測り直してください。</translation>
    </message>
    <message>
        <source>Other programs took processor time while "{1}" ran: it was left out of the fit.</source>
        <translation>「{1}」の実行中に他のプログラムがプロセッサを使ったため、当てはめから除きました。</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>その他</translation>
    </message>
    <message>
        <source>Output elements at which half the fp8 rate is reached</source>
        <translation>fp8 の速度が半分になる出力要素数</translation>
    </message>
    <message>
        <source>Output elements at which half the rate is reached</source>
        <translation>速度が半分になる出力要素数</translation>
    </message>
    <message>
        <source>Output of the state, before gate and norm</source>
        <translation>ゲートと正規化の前の状態の出力</translation>
    </message>
    <message>
        <source>Over nodes</source>
        <translation>ノード数との関係</translation>
    </message>
    <message>
        <source>Over the depth</source>
        <translation>深さ方向</translation>
    </message>
    <message>
        <source>Over {1}</source>
        <translation>{1} 経由</translation>
    </message>
    <message>
        <source>Overlap of communication</source>
        <translation>通信の重ね合わせ</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概要</translation>
    </message>
    <message>
        <source>Own tokens once</source>
        <translation>自身のトークン 1 回分</translation>
    </message>
    <message>
        <source>Owners</source>
        <translation>所有ランク数</translation>
    </message>
    <message>
        <source>P&amp;revious pane</source>
        <translation>前のペイン(&amp;R)</translation>
    </message>
    <message>
        <source>PB per drive</source>
        <translation>PB/ドライブ</translation>
    </message>
    <message>
        <source>PBS gives a job the GPUs that its line -l select names: where {1} does not give whole nodes by themselves, add :ngpus={2}:mpiprocs={2} to it.</source>
        <translation>PBS がジョブに渡すのは、-l select の行にある GPU です。{1} がおのずとノード全体を渡すのでなければ、その行に :ngpus={2}:mpiprocs={2} を加えてください。</translation>
    </message>
    <message>
        <source>PLIMSOLL_PYTHON names no program that can be run</source>
        <translation>PLIMSOLL_PYTHON が指すものは実行できるプログラムではありません</translation>
    </message>
    <message>
        <source>PP</source>
        <translation>PP</translation>
    </message>
    <message>
        <source>Pads to capacity</source>
        <translation>容量まで埋める</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>ページ</translation>
    </message>
    <message>
        <source>Page of a proposal, 165 mm</source>
        <translation>申請書のページ、165 mm</translation>
    </message>
    <message>
        <source>Paged optimizer</source>
        <translation>ページ化したオプティマイザー</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>ページ</translation>
    </message>
    <message>
        <source>Pages in five groups</source>
        <translation>5 つのグループに分かれたページ</translation>
    </message>
    <message>
        <source>Parallel blocks</source>
        <translation>並列ブロック</translation>
    </message>
    <message>
        <source>Parallel degrees, micro-batch, recomputation: the common choices</source>
        <translation>並列数、マイクロバッチ、再計算: 一般的な選択肢</translation>
    </message>
    <message>
        <source>Parallel efficiency</source>
        <translation>並列効率</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>パラメータ数</translation>
    </message>
    <message>
        <source>Parameters of one</source>
        <translation>1 層のパラメータ</translation>
    </message>
    <message>
        <source>Parameters of one rank</source>
        <translation>1 ランクのパラメータ数</translation>
    </message>
    <message>
        <source>Parameters of the node</source>
        <translation>ノードのパラメータ数</translation>
    </message>
    <message>
        <source>Parameters on the stage</source>
        <translation>ステージのパラメータ数</translation>
    </message>
    <message>
        <source>Pareto-best</source>
        <translation>パレート最適</translation>
    </message>
    <message>
        <source>Pareto-best: no layout is better in time, energy and memory at once. Tight: less memory stays free than asked for</source>
        <translation>パレート最適: 時間、メモリ、電力量のすべてで勝る構成がないもの。余裕なし: 指定より空きメモリが少ないもの</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>内訳</translation>
    </message>
    <message>
        <source>Part of a query's head dimension that carries positions. Megatron: --qk-pos-emb-head-dim</source>
        <translation>クエリのヘッド次元のうち位置を持つ部分。Megatron: --qk-pos-emb-head-dim</translation>
    </message>
    <message>
        <source>Part of a query's head dimension without positions. Megatron: --qk-head-dim</source>
        <translation>クエリのヘッド次元のうち位置を持たない部分。Megatron: --qk-head-dim</translation>
    </message>
    <message>
        <source>Part of a step</source>
        <translation>ステップの内訳</translation>
    </message>
    <message>
        <source>Part of the step</source>
        <translation>ステップの内訳</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>内訳</translation>
    </message>
    <message>
        <source>Parts of a step</source>
        <translation>ステップの内訳</translation>
    </message>
    <message>
        <source>Parts of a step: %1</source>
        <translation>ステップの内訳: %1</translation>
    </message>
    <message>
        <source>Parts of the prediction's step beside those of the median step measured.</source>
        <translation>予測ステップの内訳と、実測の中央値ステップの内訳。</translation>
    </message>
    <message>
        <source>Parts of the proposal</source>
        <translation>申請書の各部</translation>
    </message>
    <message>
        <source>Parts that explain it alone by being off by less than a factor of {1}: {2}.</source>
        <translation>{1} 倍未満のずれで、単独で差を説明できる部分：{2}。</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>パス</translation>
    </message>
    <message>
        <source>Passes of layers with experts</source>
        <translation>エキスパート層のパス数</translation>
    </message>
    <message>
        <source>Passes side by side</source>
        <translation>並んで実行されるパス</translation>
    </message>
    <message>
        <source>Passes, recomputed ones included</source>
        <translation>パス数（再計算分を含む）</translation>
    </message>
    <message>
        <source>Pattern %1</source>
        <translation>パターン %1</translation>
    </message>
    <message>
        <source>Pattern of a module that predicts a further token</source>
        <translation>先のトークンを予測するモジュールのパターン</translation>
    </message>
    <message>
        <source>Pattern of the layers</source>
        <translation>層のパターン</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>ペイロード</translation>
    </message>
    <message>
        <source>Payload bytes per second over the device's memory bandwidth; times that bandwidth {1}</source>
        <translation>デバイスのメモリ帯域に対する毎秒ペイロードバイト数の比。その帯域を掛けると {1}</translation>
    </message>
    <message>
        <source>Payload sent</source>
        <translation>送るペイロード</translation>
    </message>
    <message>
        <source>Peak FLOP/s</source>
        <translation>ピーク FLOP/s</translation>
    </message>
    <message>
        <source>Peak rate</source>
        <translation>ピーク速度</translation>
    </message>
    <message>
        <source>Per device</source>
        <translation>デバイスあたり</translation>
    </message>
    <message>
        <source>Per device and direction; 0 without</source>
        <translation>デバイスあたり片方向。なければ 0</translation>
    </message>
    <message>
        <source>Per layer in the optimizer step</source>
        <translation>オプティマイザステップでの層あたり</translation>
    </message>
    <message>
        <source>Per neighbouring stage and pass, besides the transfer</source>
        <translation>隣接ステージとパスあたりの、転送以外の時間</translation>
    </message>
    <message>
        <source>Per node</source>
        <translation>ノードあたり</translation>
    </message>
    <message>
        <source>Per node, all drives</source>
        <translation>ノードあたり全ドライブ</translation>
    </message>
    <message>
        <source>Per node, all drives; 0 without</source>
        <translation>ノードあたり全ドライブ。なければ 0</translation>
    </message>
    <message>
        <source>Per node, with fp32 states of 16-bit training; 0 derives it from the memory bandwidth</source>
        <translation>ノードあたり、16 ビット学習の fp32 状態で。0 はメモリ帯域から導きます</translation>
    </message>
    <message>
        <source>Per node: CPUs, memory, fans</source>
        <translation>ノードあたり: CPU、メモリ、ファン</translation>
    </message>
    <message>
        <source>Per node: NICs, share of switches</source>
        <translation>ノードあたり: NIC、スイッチの分担</translation>
    </message>
    <message>
        <source>Per node; 0 without</source>
        <translation>ノードあたり。なければ 0</translation>
    </message>
    <message>
        <source>Per ring step or message</source>
        <translation>リングの 1 段またはメッセージあたり</translation>
    </message>
    <message>
        <source>Per step of a ring or message</source>
        <translation>リングの 1 段またはメッセージあたり</translation>
    </message>
    <message>
        <source>Per step of a ring or message, at every level beyond the node</source>
        <translation>ノード外の各階層での、リングの 1 段またはメッセージあたり</translation>
    </message>
    <message>
        <source>Per tensor collective and rank where the tensor group leaves its node</source>
        <translation>テンソル群がノードを越えるときの、集団通信とランクあたりの時間</translation>
    </message>
    <message>
        <source>PiB</source>
        <translation>PiB</translation>
    </message>
    <message>
        <source>Pieces of the tokens that the loss takes one after the other</source>
        <translation>損失が順に処理するトークンの分割数</translation>
    </message>
    <message>
        <source>Pin to compare</source>
        <translation>固定して比較</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>パイプライン</translation>
    </message>
    <message>
        <source>Pipeline bubble</source>
        <translation>パイプラインバブル</translation>
    </message>
    <message>
        <source>Pipeline exposure</source>
        <translation>パイプラインの露出</translation>
    </message>
    <message>
        <source>Pipeline message</source>
        <translation>パイプラインのメッセージ</translation>
    </message>
    <message>
        <source>Pipeline parallel</source>
        <translation>パイプライン並列</translation>
    </message>
    <message>
        <source>Pipeline schedule</source>
        <translation>パイプラインのスケジュール</translation>
    </message>
    <message>
        <source>Pipeline stage</source>
        <translation>パイプラインステージ</translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation>パイプラインステージ</translation>
    </message>
    <message>
        <source>Pipeline stages: each has some of the layers</source>
        <translation>パイプラインステージ: 層の一部ずつを持ちます</translation>
    </message>
    <message>
        <source>Pipeline timeline</source>
        <translation>パイプラインのタイムライン</translation>
    </message>
    <message>
        <source>Pipeline timeline of one step</source>
        <translation>1 ステップのパイプラインのタイムライン</translation>
    </message>
    <message>
        <source>Pipeline transfer</source>
        <translation>パイプライン転送</translation>
    </message>
    <message>
        <source>Plain head dimension</source>
        <translation>通常ヘッド次元</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>計画</translation>
    </message>
    <message>
        <source>Plan has curves over nodes, the parts of a step, memory and energy. Layouts searches the best split of the devices, Decide compares plans, Proposal writes one, and Evidence holds the predictions against published runs.</source>
        <translation>「計画」にはノード数に対する曲線、ステップの内訳、メモリ、エネルギーがあります。「並列構成」はデバイスの最良の分割を探し、「比較と判断」は計画を比べ、「申請書」は申請書を作り、「根拠」は予測を公表された実行と照らし合わせます。</translation>
    </message>
    <message>
        <source>Plan that is explained</source>
        <translation>説明する計画</translation>
    </message>
    <message>
        <source>Plan {1}</source>
        <translation>計画 {1}</translation>
    </message>
    <message>
        <source>Plan, constants and predictions are made, before the layouts held back run: %1. Whoever writes this down can show that none of the three was changed later.</source>
        <translation>取り置いたレイアウトを実行する前に、計画・定数・予測が確定しました: %1。これを控えておけば、三つのどれも後から変更されていないことを示せます。</translation>
    </message>
    <message>
        <source>Planned memory</source>
        <translation>計画的なメモリ配置</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>計画</translation>
    </message>
    <message>
        <source>Plans (*.plimsoll *.json);;All files (*)</source>
        <translation>計画 (*.plimsoll *.json);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Plans beside each other</source>
        <translation>計画の比較</translation>
    </message>
    <message>
        <source>Plans within the limits</source>
        <translation>制限内の計画</translation>
    </message>
    <message>
        <source>Plimsoll</source>
        <translation>Plimsoll</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>点</translation>
    </message>
    <message>
        <source>Point at a cell, or walk with the arrow keys, to read why.</source>
        <translation>セルを指すか矢印キーで移動すると、理由を表示します。</translation>
    </message>
    <message>
        <source>Point at a chart or click one first</source>
        <translation>先に図を指すかクリックしてください</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>測定点</translation>
    </message>
    <message>
        <source>Position table rows</source>
        <translation>位置表の行数</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>電力</translation>
    </message>
    <message>
        <source>Power at rest and under load</source>
        <translation>待機時と負荷時の電力</translation>
    </message>
    <message>
        <source>Power at which the rates hold; a board with less reaches (its power / this) to the exponent below; 0: its power costs nothing</source>
        <translation>速度が成り立つ電力。これより少ない基板は（その電力 / この値）の下の指数乗になります。0: 電力の影響なし</translation>
    </message>
    <message>
        <source>Power exponent</source>
        <translation>電力の指数</translation>
    </message>
    <message>
        <source>Power limit of the board</source>
        <translation>基板の電力上限</translation>
    </message>
    <message>
        <source>Power of a device at most</source>
        <translation>デバイスの最大電力</translation>
    </message>
    <message>
        <source>Power of a device at rest</source>
        <translation>待機中のデバイスの電力</translation>
    </message>
    <message>
        <source>Power of a host</source>
        <translation>ホストの電力</translation>
    </message>
    <message>
        <source>Power of communicating</source>
        <translation>通信の電力</translation>
    </message>
    <message>
        <source>Power of computing</source>
        <translation>計算の電力</translation>
    </message>
    <message>
        <source>Power of one device</source>
        <translation>1 デバイスの電力</translation>
    </message>
    <message>
        <source>Power of streaming memory</source>
        <translation>メモリストリームの電力</translation>
    </message>
    <message>
        <source>Power of the facility during training, PUE included. Without a value the limit of the preferences holds</source>
        <translation>学習中の施設の電力、PUE を含みます。指定がなければ設定の上限に従います</translation>
    </message>
    <message>
        <source>Power per node</source>
        <translation>ノードあたりの電力</translation>
    </message>
    <message>
        <source>Power usage effectiveness</source>
        <translation>電力使用効率 (PUE)</translation>
    </message>
    <message>
        <source>Power weight, compute</source>
        <translation>電力の重み、計算</translation>
    </message>
    <message>
        <source>Power weight, memory</source>
        <translation>電力の重み、メモリ</translation>
    </message>
    <message>
        <source>Power weight, waiting</source>
        <translation>電力の重み、待ち</translation>
    </message>
    <message>
        <source>Pre&amp;ferences...</source>
        <translation>設定(&amp;F)...</translation>
    </message>
    <message>
        <source>Pre-train</source>
        <translation>事前学習</translation>
    </message>
    <message>
        <source>Pre-training starts from nothing; fine-tuning from weights that are there; preference training (DPO) passes two answers to a prompt, two sequences, through the model and a reference</source>
        <translation>事前学習は何もないところから、ファインチューニングは既にある重みから始めます。選好の学習（DPO）は、プロンプトへの二つの答え、つまり二つの系列を、モデルと参照モデルに通します</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Preconditioner</source>
        <translation>前処理行列</translation>
    </message>
    <message>
        <source>Preconditioner's exchange</source>
        <translation>前処理行列の通信</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>予測</translation>
    </message>
    <message>
        <source>Predicted / measured</source>
        <translation>予測 / 実測</translation>
    </message>
    <message>
        <source>Predicted against published</source>
        <translation>予測と公表値</translation>
    </message>
    <message>
        <source>Predicted and measured step</source>
        <translation>予測と実測のステップ</translation>
    </message>
    <message>
        <source>Predicted before</source>
        <translation>事前の予測</translation>
    </message>
    <message>
        <source>Predicted time of a step</source>
        <translation>予測したステップ時間</translation>
    </message>
    <message>
        <source>Predicted to the plan's depth</source>
        <translation>計画の深さまでの予測</translation>
    </message>
    <message>
        <source>Predictions are uncalibrated.</source>
        <translation>予測は較正されていません。</translation>
    </message>
    <message>
        <source>Predictions beside measurements</source>
        <translation>予測と実測</translation>
    </message>
    <message>
        <source>Predictions were written before the layouts held back ran, over lines with the hash %1.</source>
        <translation>予測は、検証用に除外した構成を実行する前に書かれました。それまでの行のハッシュは %1 です。</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>プリセット</translation>
    </message>
    <message>
        <source>Previous plan</source>
        <translation>前の計画</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>料金</translation>
    </message>
    <message>
        <source>Price %1</source>
        <translation>料金 %1</translation>
    </message>
    <message>
        <source>Price every layout of the space, beside the window</source>
        <translation>空間内のすべての構成を並行して評価します</translation>
    </message>
    <message>
        <source>Price of a device-hour, USD</source>
        <translation>デバイス時間あたりの価格 (USD)</translation>
    </message>
    <message>
        <source>Price of a node-hour</source>
        <translation>1 ノード時間の価格</translation>
    </message>
    <message>
        <source>Price of an &amp;hour</source>
        <translation>1 時間の料金(&amp;H)</translation>
    </message>
    <message>
        <source>Price of the preset</source>
        <translation>プリセットの料金</translation>
    </message>
    <message>
        <source>Prices stand in {1}: no rate of exchange is built in, and none was stated.</source>
        <translation>価格の通貨は {1} です。為替レートは内蔵されておらず、入力もされていません。</translation>
    </message>
    <message>
        <source>Print pre&amp;view...</source>
        <translation>印刷プレビュー(&amp;V)...</translation>
    </message>
    <message>
        <source>Processes a node: {1}</source>
        <translation>ノードあたりのプロセス数: {1}</translation>
    </message>
    <message>
        <source>Processes: {1}</source>
        <translation>プロセス数: {1}</translation>
    </message>
    <message>
        <source>Product behind the layer</source>
        <translation>層の後ろの積</translation>
    </message>
    <message>
        <source>Product of stream and embedding</source>
        <translation>残差ストリームと埋め込みの積</translation>
    </message>
    <message>
        <source>Products</source>
        <translation>行列積</translation>
    </message>
    <message>
        <source>Products of one layer</source>
        <translation>1 層の行列積</translation>
    </message>
    <message>
        <source>Products of several experts at once, as a share of the rate of one large product</source>
        <translation>複数エキスパートの行列積をまとめた速度の、大きな行列積 1 つに対する比</translation>
    </message>
    <message>
        <source>Products of the attention core</source>
        <translation>アテンション本体の行列積</translation>
    </message>
    <message>
        <source>Products of the rank that holds the end of a sequence</source>
        <translation>系列の末尾を持つランクの行列積</translation>
    </message>
    <message>
        <source>Products, forward again</source>
        <translation>行列積、順伝播の再計算</translation>
    </message>
    <message>
        <source>Products: depth at half the rate</source>
        <translation>行列積: 半値深さ</translation>
    </message>
    <message>
        <source>Products: outputs at half the rate</source>
        <translation>行列積: 半値出力数</translation>
    </message>
    <message>
        <source>Products: rows at half the rate</source>
        <translation>行列積: 半値行数</translation>
    </message>
    <message>
        <source>Products: share of the peak</source>
        <translation>行列積: ピーク比</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>書き出しの進み具合</translation>
    </message>
    <message>
        <source>Progress of the search</source>
        <translation>探索の進み具合</translation>
    </message>
    <message>
        <source>Projection after the exchange</source>
        <translation>交換後の射影</translation>
    </message>
    <message>
        <source>Projection before the exchange</source>
        <translation>交換前の射影</translation>
    </message>
    <message>
        <source>Projection of attention's output. PEFT: o_proj</source>
        <translation>アテンション出力の射影。PEFT: o_proj</translation>
    </message>
    <message>
        <source>Projection of queries. PEFT: q_proj</source>
        <translation>クエリの射影。PEFT: q_proj</translation>
    </message>
    <message>
        <source>Projection of the layer's own embedding</source>
        <translation>層が自分で持つ埋め込みの射影</translation>
    </message>
    <message>
        <source>Projections into the mixer</source>
        <translation>ミキサーへの射影</translation>
    </message>
    <message>
        <source>Projections of mixers other than attention</source>
        <translation>アテンション以外のミキサーの射影</translation>
    </message>
    <message>
        <source>Projections up from latent vectors (mla_up_proj), forward again</source>
        <translation>潜在ベクトルからの射影 (mla_up_proj)、順伝播の再計算</translation>
    </message>
    <message>
        <source>Proof</source>
        <translation>検証表</translation>
    </message>
    <message>
        <source>Proposal</source>
        <translation>申請書</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>公表値</translation>
    </message>
    <message>
        <source>Published run</source>
        <translation>公表された実行</translation>
    </message>
    <message>
        <source>Published runs</source>
        <translation>公表された実行</translation>
    </message>
    <message>
        <source>Published runs (*.json);;All files (*)</source>
        <translation>公表事例 (*.json);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Published time of a step</source>
        <translation>公表されたステップ時間</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>目的</translation>
    </message>
    <message>
        <source>Puts the selected row into the plan, as one step that can be undone</source>
        <translation>選択した行を計画に入れます。1 回の操作として元に戻せます</translation>
    </message>
    <message>
        <source>Puts the selected row's layout into the plan, as one step that can be undone</source>
        <translation>選択した行の並列構成を計画に入れます。1 回の操作として元に戻せます</translation>
    </message>
    <message>
        <source>PyTorch refused the others</source>
        <translation>残りは PyTorch が拒みました</translation>
    </message>
    <message>
        <source>QKV bias</source>
        <translation>QKV バイアス</translation>
    </message>
    <message>
        <source>QLoRA, weights in NF4</source>
        <translation>QLoRA、重みは NF4</translation>
    </message>
    <message>
        <source>QR of every factor, 8/3 n^3</source>
        <translation>各因子の QR 分解、8/3 n^3</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>量</translation>
    </message>
    <message>
        <source>Queries</source>
        <translation>クエリ</translation>
    </message>
    <message>
        <source>Queries and output</source>
        <translation>クエリと出力</translation>
    </message>
    <message>
        <source>Queries, keys and values after the convolution</source>
        <translation>畳み込み後のクエリ、キー、バリュー</translation>
    </message>
    <message>
        <source>Queries, keys and values before rotation</source>
        <translation>回転前のクエリ・キー・バリュー</translation>
    </message>
    <message>
        <source>Queries, keys and values. Megatron: --offload-modules core_attn</source>
        <translation>クエリ、キー、バリュー。Megatron: --offload-modules core_attn</translation>
    </message>
    <message>
        <source>Queries, keys and weights of the indexer</source>
        <translation>インデクサーのクエリ・キー・重み</translation>
    </message>
    <message>
        <source>Query heads, a; head dimension and key-value heads follow. Megatron: --num-attention-heads</source>
        <translation>クエリヘッド数 a。ヘッド次元とキー・バリューヘッド数も追従します。Megatron: --num-attention-heads</translation>
    </message>
    <message>
        <source>Query projection down</source>
        <translation>クエリ射影（縮小）</translation>
    </message>
    <message>
        <source>Query projection up</source>
        <translation>クエリ射影（拡大）</translation>
    </message>
    <message>
        <source>Query rank</source>
        <translation>クエリのランク</translation>
    </message>
    <message>
        <source>Query, key, value projection</source>
        <translation>QKV 射影</translation>
    </message>
    <message>
        <source>Query-key norm width</source>
        <translation>クエリ・キー正規化の幅</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>質問</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>質問</translation>
    </message>
    <message>
        <source>Queue or partition; the site's for short jobs where it is empty</source>
        <translation>キューまたはパーティション。空欄なら短いジョブ用のサイト既定</translation>
    </message>
    <message>
        <source>Ran again after a restart</source>
        <translation>再開後にもう一度実行</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>範囲</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>順位</translation>
    </message>
    <message>
        <source>Rank %1 was killed%2%3.</source>
        <translation>ランク %1 が強制終了されました%2%3。</translation>
    </message>
    <message>
        <source>Rank %1: </source>
        <translation>ランク %1: </translation>
    </message>
    <message>
        <source>Rank capacity</source>
        <translation>ランクの容量</translation>
    </message>
    <message>
        <source>Rank correlation</source>
        <translation>順位相関</translation>
    </message>
    <message>
        <source>Ranked</source>
        <translation>順位付き</translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation>順位</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>Ranks of the node</source>
        <translation>ノードのランク数</translation>
    </message>
    <message>
        <source>Ranks that exchange heads</source>
        <translation>ヘッドを交換するランク</translation>
    </message>
    <message>
        <source>Ranks that share one sharded copy (hybrid sharding); 0 is all data-parallel ranks. PyTorch FSDP: HYBRID_SHARD</source>
        <translation>シャード 1 組を分担するランク数（ハイブリッドシャーディング）。0 は全データ並列ランク。PyTorch FSDP: HYBRID_SHARD</translation>
    </message>
    <message>
        <source>Ranks that share the experts</source>
        <translation>エキスパートを分担するランク数</translation>
    </message>
    <message>
        <source>Ranks that share the work</source>
        <translation>計算を分担するランク</translation>
    </message>
    <message>
        <source>Ranks that share them (ZeRO)</source>
        <translation>分担するランク数 (ZeRO)</translation>
    </message>
    <message>
        <source>Ranks, best of one node, that share a second copy of the weights, from which the backward pass gathers (hpZ of ZeRO++); 1: each keeps what it gathered; 0 without. DeepSpeed: zero_hpz_partition_size; PyTorch FSDP2: reshard_after_forward=N, False is 1</source>
        <translation>重みの 2 つ目の写しを分担するランク（できれば 1 ノード内）。逆伝播はそこから重みを集めます（ZeRO++ の hpZ）。1 では各ランクが集めたものを保持し、0 では写しを持ちません。DeepSpeed: zero_hpz_partition_size、PyTorch FSDP2: reshard_after_forward=N、False は 1</translation>
    </message>
    <message>
        <source>Rate beyond large messages' size, {1}</source>
        <translation>大きなメッセージを超える部分の速度、{1}</translation>
    </message>
    <message>
        <source>Rate of an infinitely large product</source>
        <translation>無限に大きな行列積の速度</translation>
    </message>
    <message>
        <source>Rate of fp32 products</source>
        <translation>fp32 行列積の速度</translation>
    </message>
    <message>
        <source>Rate of grouped products</source>
        <translation>グループ行列積の速度</translation>
    </message>
    <message>
        <source>Rate of inversions</source>
        <translation>逆行列計算の速度</translation>
    </message>
    <message>
        <source>Rate of reading</source>
        <translation>読み込み速度</translation>
    </message>
    <message>
        <source>Rate of the node's CPUs</source>
        <translation>ノードの CPU の速度</translation>
    </message>
    <message>
        <source>Rate of the slowest level</source>
        <translation>最も遅い階層の速度</translation>
    </message>
    <message>
        <source>Rate of weight gradients against the other grouped products</source>
        <translation>他のグループ行列積に対する重み勾配の速度</translation>
    </message>
    <message>
        <source>Rate of writing</source>
        <translation>書き込み速度</translation>
    </message>
    <message>
        <source>Read as one run and its restarts: %1.</source>
        <translation>1 つの実行とその再開として読みました: %1。</translation>
    </message>
    <message>
        <source>Read as the ranks of one run, of which the slowest counts: %1.</source>
        <translation>1 つの実行のランクとして読み、最も遅いものを数えました: %1。</translation>
    </message>
    <message>
        <source>Read: %1.</source>
        <translation>読んだもの: %1。</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>読み込み</translation>
    </message>
    <message>
        <source>Reading "%1"...</source>
        <translation>「%1」を読み込んでいます...</translation>
    </message>
    <message>
        <source>Reading %1...</source>
        <translation>%1 を読んでいます...</translation>
    </message>
    <message>
        <source>Reading it was cancelled.</source>
        <translation>読み込みはキャンセルされました。</translation>
    </message>
    <message>
        <source>Reading the keys chosen</source>
        <translation>選ばれたキーの読み込み</translation>
    </message>
    <message>
        <source>Reads what sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P printed of the batch job that measured it</source>
        <translation>測定を行ったバッチジョブについて sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P が出力したものを読み込みます</translation>
    </message>
    <message>
        <source>Recent plans</source>
        <translation>最近の計画</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>再計算</translation>
    </message>
    <message>
        <source>Recompute attention core</source>
        <translation>アテンション本体を再計算</translation>
    </message>
    <message>
        <source>Recompute dense blocks</source>
        <translation>密なブロックを再計算</translation>
    </message>
    <message>
        <source>Recompute expert activations</source>
        <translation>エキスパートの活性化を再計算</translation>
    </message>
    <message>
        <source>Recompute experts</source>
        <translation>エキスパートを再計算</translation>
    </message>
    <message>
        <source>Recompute latent projections</source>
        <translation>潜在ベクトルの射影を再計算</translation>
    </message>
    <message>
        <source>Recompute norms</source>
        <translation>正規化を再計算</translation>
    </message>
    <message>
        <source>Recompute shared experts</source>
        <translation>共有エキスパートを再計算</translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation>再計算分</translation>
    </message>
    <message>
        <source>Recomputed layers</source>
        <translation>再計算する層数</translation>
    </message>
    <message>
        <source>Recomputed modules</source>
        <translation>再計算するモジュール</translation>
    </message>
    <message>
        <source>Recomputes by module</source>
        <translation>モジュールごとの再計算</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>復元</translation>
    </message>
    <message>
        <source>Recover all %1</source>
        <translation>%1件すべてを復元</translation>
    </message>
    <message>
        <source>Recovered changes</source>
        <translation>復元した変更</translation>
    </message>
    <message>
        <source>Recovered; not saved yet</source>
        <translation>復元しました。まだ保存していません</translation>
    </message>
    <message>
        <source>Reduce-scatter and all-gather for {1}</source>
        <translation>{1}の reduce-scatter と all-gather</translation>
    </message>
    <message>
        <source>Reduce-scatter of the gradients</source>
        <translation>勾配の reduce-scatter</translation>
    </message>
    <message>
        <source>Reduce-scatter of their gradients</source>
        <translation>その勾配の縮約分散</translation>
    </message>
    <message>
        <source>Reduces in fp32</source>
        <translation>fp32 で縮約</translation>
    </message>
    <message>
        <source>Reduces whole gradients</source>
        <translation>勾配全体を縮約</translation>
    </message>
    <message>
        <source>Reference model</source>
        <translation>参照モデル</translation>
    </message>
    <message>
        <source>Reference power</source>
        <translation>基準電力</translation>
    </message>
    <message>
        <source>Reinforcement learning</source>
        <translation>強化学習</translation>
    </message>
    <message>
        <source>Released by then</source>
        <translation>それまでに解放した分</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>再読み込み</translation>
    </message>
    <message>
        <source>Reload: what is in the file now; Ctrl+Z returns to your plan.
Keep mine: what is there is replaced when you save.</source>
        <translation>再読み込み: いまのファイルの内容にします。Ctrl+Z で元の計画に戻ります。
自分の版を保持: 保存するとファイルの内容を置き換えます。</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>備考</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>備考</translation>
    </message>
    <message>
        <source>Remo&amp;ve the scaling runs</source>
        <translation>スケーリングの実測を外す(&amp;V)</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Rename the plan</source>
        <translation>計画の名前を変更</translation>
    </message>
    <message>
        <source>Rename this plan...</source>
        <translation>この計画の名前を変更...</translation>
    </message>
    <message>
        <source>Reopen the plan closed last</source>
        <translation>最後に閉じた計画を開き直す</translation>
    </message>
    <message>
        <source>Repeats the last product</source>
        <translation>最後の行列積も繰り返す</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>置き換える</translation>
    </message>
    <message>
        <source>Replace "%1" by the plans that are open?</source>
        <translation>「%1」を、開いている計画で置き換えますか?</translation>
    </message>
    <message>
        <source>Replace a file</source>
        <translation>ファイルの置き換え</translation>
    </message>
    <message>
        <source>Replace files</source>
        <translation>ファイルの置き換え</translation>
    </message>
    <message>
        <source>Replicas that work on different sequences, d. Turning it changes the device count. Megatron: N / (t c p)</source>
        <translation>別々の系列を処理するレプリカ数 d。変えるとデバイス数が変わります。Megatron: N / (t c p)</translation>
    </message>
    <message>
        <source>Replicated</source>
        <translation>複製</translation>
    </message>
    <message>
        <source>Requirements: %1 met, %2 missing, %3 yours to meet. %4</source>
        <translation>要件：充足 %1、不足 %2、申請者の担当 %3。%4</translation>
    </message>
    <message>
        <source>Reset to preset: %1</source>
        <translation>プリセットに戻す: %1</translation>
    </message>
    <message>
        <source>Residual stream after attention</source>
        <translation>アテンション後の残差ストリーム</translation>
    </message>
    <message>
        <source>Resilience</source>
        <translation>耐障害性</translation>
    </message>
    <message>
        <source>Resolution of PNG files</source>
        <translation>PNG ファイルの解像度</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>再起動</translation>
    </message>
    <message>
        <source>Restarting</source>
        <translation>再起動</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Results of experts that magnitudes scale</source>
        <translation>大きさがスケールするエキスパートの結果</translation>
    </message>
    <message>
        <source>Results of the adapters' first products</source>
        <translation>アダプターの最初の積の結果</translation>
    </message>
    <message>
        <source>Results of the experts' adapters' first products</source>
        <translation>エキスパートのアダプターの最初の積の結果</translation>
    </message>
    <message>
        <source>Results of the projections into the mixer</source>
        <translation>ミキサーへの射影の結果</translation>
    </message>
    <message>
        <source>Results that magnitudes scale</source>
        <translation>大きさがスケールする結果</translation>
    </message>
    <message>
        <source>Results that magnitudes scale, split</source>
        <translation>大きさがスケールする結果、分割</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>再開</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>再試行</translation>
    </message>
    <message>
        <source>Ring steps</source>
        <translation>リングの段数</translation>
    </message>
    <message>
        <source>Ring, backward</source>
        <translation>リング、逆伝播</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>役割</translation>
    </message>
    <message>
        <source>Room in memory for a rank's tokens over the mean, taken whatever comes; 0: for those of the busiest rank. Megatron: --moe-expert-rank-capacity-factor</source>
        <translation>届く量にかかわらず確保する、ランクのトークンのためのメモリ（平均に対する比）。0 は最も忙しいランクの分です。Megatron: --moe-expert-rank-capacity-factor</translation>
    </message>
    <message>
        <source>Root of the sequences between two meetings of the ranks</source>
        <translation>ランクの 2 回の同期のあいだの系列数の平方根</translation>
    </message>
    <message>
        <source>Rotary head dimension</source>
        <translation>回転ヘッド次元</translation>
    </message>
    <message>
        <source>Routed experts</source>
        <translation>ルーティング対象のエキスパート</translation>
    </message>
    <message>
        <source>Routed experts a token visits, k. Megatron: --moe-router-topk</source>
        <translation>1 トークンが通るエキスパート数 k。Megatron: --moe-router-topk</translation>
    </message>
    <message>
        <source>Routed experts of one layer, E, in place of its feed-forward block; 0 is a dense model. Megatron: --num-experts</source>
        <translation>フィードフォワードの代わりに 1 層が持つルーティング対象のエキスパート数 E。0 は密モデル。Megatron: --num-experts</translation>
    </message>
    <message>
        <source>Router</source>
        <translation>ルーター</translation>
    </message>
    <message>
        <source>Router and experts (moe), forward again</source>
        <translation>ルーターとエキスパート (moe)、順伝播の再計算</translation>
    </message>
    <message>
        <source>Router bias</source>
        <translation>ルーターのバイアス</translation>
    </message>
    <message>
        <source>Router scores</source>
        <translation>ルーターのスコア</translation>
    </message>
    <message>
        <source>Router, biases and norms</source>
        <translation>ルーター、バイアス、正規化</translation>
    </message>
    <message>
        <source>Row traffic</source>
        <translation>行の通信量</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Rows (tokens) at which half the rate is reached</source>
        <translation>速度が半分になる行数（トークン数）</translation>
    </message>
    <message>
        <source>Rows not scored</source>
        <translation>評価対象外の行</translation>
    </message>
    <message>
        <source>Rows of a learned position table. Megatron: --max-position-embeddings</source>
        <translation>学習する位置表の行数。Megatron: --max-position-embeddings</translation>
    </message>
    <message>
        <source>Rows of one expert at which half the rate is reached</source>
        <translation>速度が半分になる 1 エキスパートの行数</translation>
    </message>
    <message>
        <source>Rule of thumb</source>
        <translation>経験則</translation>
    </message>
    <message>
        <source>Rule of thumb: &amp;least model parallelism</source>
        <translation>経験則: モデル並列最小(&amp;L)</translation>
    </message>
    <message>
        <source>Rules of thumb beside the fastest split</source>
        <translation>経験則と最速の分割</translation>
    </message>
    <message>
        <source>Rules that exclude layouts</source>
        <translation>構成を除外した規則</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>実行</translation>
    </message>
    <message>
        <source>Run %1 of %2: %3 (%4)</source>
        <translation>実行 %1 / %2: %3 (%4)</translation>
    </message>
    <message>
        <source>Running job</source>
        <translation>実行中のジョブ</translation>
    </message>
    <message>
        <source>Running: step %1 of %2</source>
        <translation>実行中: ステップ %1 / %2</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>実行数</translation>
    </message>
    <message>
        <source>Runs (*.json *.csv)</source>
        <translation>実行 (*.json *.csv)</translation>
    </message>
    <message>
        <source>Runs inside the range that is meant to hold nine of ten, all sources alike</source>
        <translation>10 件に 9 件を含むはずの範囲に入る実行の割合。全出典を均等に扱います</translation>
    </message>
    <message>
        <source>Runs inside the range that is meant to hold two of three, all sources alike</source>
        <translation>3 件に 2 件を含むはずの範囲に入る実行の割合。全出典を均等に扱います</translation>
    </message>
    <message>
        <source>Runs to make</source>
        <translation>行う実行</translation>
    </message>
    <message>
        <source>Runs with a prediction</source>
        <translation>予測のある実行</translation>
    </message>
    <message>
        <source>Runs: %1</source>
        <translation>実行中: %1</translation>
    </message>
    <message>
        <source>S&amp;ettings</source>
        <translation>設定(&amp;E)</translation>
    </message>
    <message>
        <source>S&amp;kip</source>
        <translation>スキップ(&amp;K)</translation>
    </message>
    <message>
        <source>S&amp;tart page</source>
        <translation>開始ページ(&amp;T)</translation>
    </message>
    <message>
        <source>SOAP has numbers of its own</source>
        <translation>SOAP には自身の値があります</translation>
    </message>
    <message>
        <source>SOAP: a wider side of a matrix has no factor, and the basis of the other one alone counts; 0 gives every side one. SOAP: max_precond_dim</source>
        <translation>SOAP: これより広い辺には因子がなく、もう一方の辺の基底だけを使います。0 ではすべての辺に因子があります。SOAP: max_precond_dim</translation>
    </message>
    <message>
        <source>SOAP: steps between two QR decompositions of its factors. SOAP: precondition_frequency</source>
        <translation>SOAP: 因子の QR 分解の間のステップ数。SOAP: precondition_frequency</translation>
    </message>
    <message>
        <source>SP</source>
        <translation>SP</translation>
    </message>
    <message>
        <source>SUMMA: Xu et al. 2021, Wang et al. 2021</source>
        <translation>SUMMA: Xu et al. 2021, Wang et al. 2021</translation>
    </message>
    <message>
        <source>Sa&amp;ve...</source>
        <translation>保存(&amp;V)...</translation>
    </message>
    <message>
        <source>Safe ratio</source>
        <translation>安全な圧縮率</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save &amp;as...</source>
        <translation>名前を付けて保存(&amp;A)...</translation>
    </message>
    <message>
        <source>Save as a &amp;spreadsheet...</source>
        <translation>表計算ファイルとして保存(&amp;S)...</translation>
    </message>
    <message>
        <source>Save as a spreadsheet</source>
        <translation>表計算ファイルとして保存</translation>
    </message>
    <message>
        <source>Save as machine preset</source>
        <translation>計算機プリセットとして保存</translation>
    </message>
    <message>
        <source>Save as...</source>
        <translation>名前を付けて保存...</translation>
    </message>
    <message>
        <source>Save as: your plan goes to another file.</source>
        <translation>名前を付けて保存: 計画を別のファイルに保存します。</translation>
    </message>
    <message>
        <source>Save the &amp;tables...</source>
        <translation>表を保存(&amp;T)...</translation>
    </message>
    <message>
        <source>Save the job</source>
        <translation>ジョブの保存</translation>
    </message>
    <message>
        <source>Save the job script</source>
        <translation>ジョブスクリプトを保存</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>計画の保存</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>表を保存</translation>
    </message>
    <message>
        <source>Save the table and the charts into a folder</source>
        <translation>表と図をフォルダに保存</translation>
    </message>
    <message>
        <source>Save the tables as a spreadsheet</source>
        <translation>表を表計算ファイルとして保存</translation>
    </message>
    <message>
        <source>Save the timeline</source>
        <translation>タイムラインの保存</translation>
    </message>
    <message>
        <source>Save the workspace</source>
        <translation>ワークスペースを保存</translation>
    </message>
    <message>
        <source>Save workspace</source>
        <translation>ワークスペースを保存</translation>
    </message>
    <message>
        <source>Save workspace as...</source>
        <translation>ワークスペースに名前を付けて保存...</translation>
    </message>
    <message>
        <source>Save...</source>
        <translation>保存...</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 を保存しました</translation>
    </message>
    <message>
        <source>Saved %1: %2 plans</source>
        <translation>%1を保存しました: 計画%2件</translation>
    </message>
    <message>
        <source>Saved as "%1".</source>
        <translation>「%1」として保存しました。</translation>
    </message>
    <message>
        <source>Scales of fp8 products</source>
        <translation>fp8 行列積のスケール</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>ばらつき</translation>
    </message>
    <message>
        <source>Scatter of the activation</source>
        <translation>アクティベーションの分配</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>スケジュール</translation>
    </message>
    <message>
        <source>Schedules of the software</source>
        <translation>ソフトウェアのスケジュール</translation>
    </message>
    <message>
        <source>Scored</source>
        <translation>評価数</translation>
    </message>
    <message>
        <source>Scripts (*.sh);;All files (*)</source>
        <translation>スクリプト (*.sh);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Se&amp;quence parallel</source>
        <translation>シーケンス並列(&amp;Q)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>探索</translation>
    </message>
    <message>
        <source>Search &amp;in</source>
        <translation>探索範囲(&amp;I)</translation>
    </message>
    <message>
        <source>Search of layouts</source>
        <translation>並列構成の探索</translation>
    </message>
    <message>
        <source>Search the best layout after every edit, and draw the best of each node count</source>
        <translation>編集のたびに最良の並列構成を探索し、各ノード数での最良値を描きます</translation>
    </message>
    <message>
        <source>Search: %1</source>
        <translation>探索: %1</translation>
    </message>
    <message>
        <source>Searches, trials and calibrations that run beside the window</source>
        <translation>並行して実行中の探索、試行、較正</translation>
    </message>
    <message>
        <source>Second copy for the backward pass</source>
        <translation>逆伝播のための 2 つ目の写し</translation>
    </message>
    <message>
        <source>Second moment in</source>
        <translation>2 次モーメントの形式</translation>
    </message>
    <message>
        <source>Second-order optimizer</source>
        <translation>2 次オプティマイザ</translation>
    </message>
    <message>
        <source>Secondary shard</source>
        <translation>二次シャード</translation>
    </message>
    <message>
        <source>Seconds of a step</source>
        <translation>1 ステップの秒数</translation>
    </message>
    <message>
        <source>Seconds per hour</source>
        <translation>1 時間の秒数</translation>
    </message>
    <message>
        <source>Select a layout to read why it beats the current plan, or does not.</source>
        <translation>並列構成を選ぶと、現在の計画より速いかどうかとその理由を表示します。</translation>
    </message>
    <message>
        <source>Select a row to see its curve.</source>
        <translation>行を選ぶと曲線を表示します。</translation>
    </message>
    <message>
        <source>Select a run to read its source and what was assumed.</source>
        <translation>実行を選ぶと、出典と仮定した内容を表示します。</translation>
    </message>
    <message>
        <source>Selective</source>
        <translation>選択的</translation>
    </message>
    <message>
        <source>Selective recomputation keeps every other product and attention, and repeats the rest</source>
        <translation>選択的再計算が行列積の 1 つおきとアテンションを保持し、残りを繰り返します</translation>
    </message>
    <message>
        <source>Selective recomputation repeats dense feed-forward blocks. Megatron: --recompute-modules mlp</source>
        <translation>選択的再計算が密なフィードフォワードブロックを計算し直します。Megatron: --recompute-modules mlp</translation>
    </message>
    <message>
        <source>Selective recomputation repeats norms in front of experts and of latent attention. Megatron: --recompute-modules layernorm</source>
        <translation>選択的再計算がエキスパートと潜在アテンションの前の正規化を計算し直します。Megatron: --recompute-modules layernorm</translation>
    </message>
    <message>
        <source>Selective recomputation repeats router, both exchanges and all experts. Megatron: --recompute-modules moe</source>
        <translation>選択的再計算がルーター、両方の交換、すべてのエキスパートを計算し直します。Megatron: --recompute-modules moe</translation>
    </message>
    <message>
        <source>Selective recomputation repeats scores, softmax and values. Megatron: --recompute-modules core_attn</source>
        <translation>選択的再計算がスコア、ソフトマックス、値を計算し直します。Megatron: --recompute-modules core_attn</translation>
    </message>
    <message>
        <source>Selective recomputation repeats the activation function of the routed experts. Megatron: --recompute-modules moe_act</source>
        <translation>選択的再計算がルーティングされるエキスパートの活性化関数を計算し直します。Megatron: --recompute-modules moe_act</translation>
    </message>
    <message>
        <source>Selective recomputation repeats the shared experts. Megatron: --recompute-modules shared_experts</source>
        <translation>選択的再計算が共有エキスパートを計算し直します。Megatron: --recompute-modules shared_experts</translation>
    </message>
    <message>
        <source>Selective recomputation repeats what projects latent vectors up to queries, keys and values. Megatron: --recompute-modules mla_up_proj</source>
        <translation>選択的再計算が潜在ベクトルからクエリ、キー、値への射影を計算し直します。Megatron: --recompute-modules mla_up_proj</translation>
    </message>
    <message>
        <source>Selective recomputation takes a list of modules (Megatron-Core); off: what it repeats is set</source>
        <translation>選択的再計算がモジュールのリストを取ります (Megatron-Core)。オフ: 計算し直すものは固定です</translation>
    </message>
    <message>
        <source>Selective recompute</source>
        <translation>選択的に再計算</translation>
    </message>
    <message>
        <source>Selective share</source>
        <translation>選択的再計算の割合</translation>
    </message>
    <message>
        <source>Send the largest share of activations that nobody waits for and the tier holds</source>
        <translation>待ちが生じず階層に収まる最大の割合のアクティベーションを送ります</translation>
    </message>
    <message>
        <source>Sends and receives per micro-batch</source>
        <translation>マイクロバッチあたりの送受信</translation>
    </message>
    <message>
        <source>Sends through the pipeline and back</source>
        <translation>パイプラインを往復する送信</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>系列長</translation>
    </message>
    <message>
        <source>Sequence length at which half the rate is reached</source>
        <translation>速度が半分になる系列長</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>シーケンス並列</translation>
    </message>
    <message>
        <source>Sequence parallelism</source>
        <translation>シーケンス並列</translation>
    </message>
    <message>
        <source>Sequences</source>
        <translation>系列数</translation>
    </message>
    <message>
        <source>Sequences a rank takes at a time</source>
        <translation>ランクが一度に処理する系列数</translation>
    </message>
    <message>
        <source>Sequences in a second</source>
        <translation>1 秒あたりの系列数</translation>
    </message>
    <message>
        <source>Sequences of a micro-batch</source>
        <translation>マイクロバッチの系列数</translation>
    </message>
    <message>
        <source>Sequences of half the length</source>
        <translation>半分の長さの系列</translation>
    </message>
    <message>
        <source>Sequences of one optimizer step over all replicas, B. Megatron: --global-batch-size</source>
        <translation>全レプリカでの 1 オプティマイザステップの系列数 B。Megatron: --global-batch-size</translation>
    </message>
    <message>
        <source>Sequences one device works on at a time, b. Megatron: --micro-batch-size</source>
        <translation>1 デバイスが一度に処理する系列数 b。Megatron: --micro-batch-size</translation>
    </message>
    <message>
        <source>Sequences per step</source>
        <translation>1 ステップの系列数</translation>
    </message>
    <message>
        <source>Sequences twice as long</source>
        <translation>2 倍の系列長</translation>
    </message>
    <message>
        <source>Set in the plan</source>
        <translation>計画で設定</translation>
    </message>
    <message>
        <source>Sets %1; what else stands in the way stays</source>
        <translation>%1 を設定します。ほかの妨げは残ります</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>設定</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Shape penalty</source>
        <translation>形状による低下</translation>
    </message>
    <message>
        <source>Shapes do not tell the number of attention heads:</source>
        <translation>形状だけではアテンションヘッド数が分かりません:</translation>
    </message>
    <message>
        <source>Shard gathers</source>
        <translation>シャードの収集</translation>
    </message>
    <message>
        <source>Shard group</source>
        <translation>シャードグループ</translation>
    </message>
    <message>
        <source>Sharded efficiency</source>
        <translation>シャーディングの効率</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>シャード</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>割合</translation>
    </message>
    <message>
        <source>Share a large ring reaches</source>
        <translation>大きなリングが達する割合</translation>
    </message>
    <message>
        <source>Share of (max - idle) drawn in matrix products</source>
        <translation>行列積中に消費する（最大 - 待機）の割合</translation>
    </message>
    <message>
        <source>Share of (max - idle) drawn while streaming memory</source>
        <translation>メモリのストリーム中に消費する（最大 - 待機）の割合</translation>
    </message>
    <message>
        <source>Share of (max - idle) drawn while waiting</source>
        <translation>待機中に消費する（最大 - 待機）の割合</translation>
    </message>
    <message>
        <source>Share of a backward pass that gradient reduction may hide behind, and of a forward pass for gathers of updated weights. Megatron: --overlap-grad-reduce, --overlap-param-gather</source>
        <translation>勾配縮約を隠せる逆伝播の割合、および更新済み重みの収集を隠せる順伝播の割合。Megatron: --overlap-grad-reduce, --overlap-param-gather</translation>
    </message>
    <message>
        <source>Share of a cycle</source>
        <translation>周期に占める割合</translation>
    </message>
    <message>
        <source>Share of a layer's forward pass</source>
        <translation>層の順伝播の割合</translation>
    </message>
    <message>
        <source>Share of a layer's forward pass that selective recomputation repeats; 0: the attention core</source>
        <translation>選択的再計算が繰り返す、層の順伝播の割合。0: アテンション本体</translation>
    </message>
    <message>
        <source>Share of a matrix</source>
        <translation>行列の割合</translation>
    </message>
    <message>
        <source>Share of a step</source>
        <translation>ステップに占める割合</translation>
    </message>
    <message>
        <source>Share of activations sent</source>
        <translation>送り出すアクティベーションの割合</translation>
    </message>
    <message>
        <source>Share of activations sent where it is not solved for; with recomputation the alpha of MEMO, on top of layer inputs and attention outputs, which always go</source>
        <translation>自動で求めないときに送る割合。再計算時は MEMO の alpha で、必ず送る層入力とアテンション出力に加わります</translation>
    </message>
    <message>
        <source>Share of it with sharded states</source>
        <translation>シャードされた状態での割合</translation>
    </message>
    <message>
        <source>Share of one device</source>
        <translation>1 デバイスの分担</translation>
    </message>
    <message>
        <source>Share of peak</source>
        <translation>ピーク比</translation>
    </message>
    <message>
        <source>Share of peak a very large GEMM reaches</source>
        <translation>非常に大きな GEMM が達するピーク比</translation>
    </message>
    <message>
        <source>Share of the 16-bit peak over an endless sequence; 0: not measured here</source>
        <translation>無限長の系列での 16 ビットピーク比。0: 未測定</translation>
    </message>
    <message>
        <source>Share of the device's multiprocessors that the kernels of the all-to-all take, so that what runs beside it is slower: 20 of 132 for DeepEP on H100. Megatron: --moe-deepep-num-sms, --moe-hybridep-num-sms</source>
        <translation>all-to-all のカーネルが使う、デバイスのマルチプロセッサの割合。並んで動く処理はその分遅くなります。H100 の DeepEP では 132 のうち 20 です。Megatron: --moe-deepep-num-sms、--moe-hybridep-num-sms</translation>
    </message>
    <message>
        <source>Share of the exchange that lengthens the step</source>
        <translation>交換のうちステップを延ばす割合</translation>
    </message>
    <message>
        <source>Share of the expert all-to-all nothing hides</source>
        <translation>エキスパートの all-to-all のうち、何にも隠れない割合</translation>
    </message>
    <message>
        <source>Share of the fp8 peak a very large GEMM reaches, its inputs being fp8 already</source>
        <translation>入力がすでに fp8 のとき、非常に大きな GEMM が達する fp8 ピーク比</translation>
    </message>
    <message>
        <source>Share of the host time of experts that a CUDA graph of attention and router leaves</source>
        <translation>アテンションとルーターの CUDA グラフを使っても残る、エキスパートのホスト時間の割合</translation>
    </message>
    <message>
        <source>Share of the host time of experts that a CUDA graph of the router leaves</source>
        <translation>ルーターの CUDA グラフを使っても残る、エキスパートのホスト時間の割合</translation>
    </message>
    <message>
        <source>Share of the layers whose attention is sparse: one half where dense and sparse alternate. DeepSpeed: sparse_attention</source>
        <translation>アテンションが疎な層の割合。密と疎が交互なら 1/2。DeepSpeed: sparse_attention</translation>
    </message>
    <message>
        <source>Share of the memory bandwidth a stream reaches</source>
        <translation>ストリームが達するメモリ帯域の割合</translation>
    </message>
    <message>
        <source>Share of the network between nodes that gathers and scatters of sharded states reach (ZeRO)</source>
        <translation>シャードされた状態の収集と分配が達するノード間ネットワークの割合 (ZeRO)</translation>
    </message>
    <message>
        <source>Share of the network the expert all-to-all reaches</source>
        <translation>エキスパートの all-to-all が達するネットワークの割合</translation>
    </message>
    <message>
        <source>Share of the optimizer</source>
        <translation>オプティマイザの割合</translation>
    </message>
    <message>
        <source>Share of the peak a very large GEMM reaches; 0: not measured here, as one scale a tensor</source>
        <translation>非常に大きな GEMM が達するピークの割合。0: ここでは未測定で、テンソルごとに 1 つのスケールと同じとします</translation>
    </message>
    <message>
        <source>Share of the reductions and gathers that hide which the step waits for all the same, because their kernels slow the passes down</source>
        <translation>隠れる縮約と収集のうち、それでもステップが待つ割合。通信カーネルが計算を遅くするため</translation>
    </message>
    <message>
        <source>Share of the score matrix a sparse layer computes, against the same layer dense. DeepSpeed: sparse_attention</source>
        <translation>疎な層が計算するスコア行列の、密な層に対する割合。DeepSpeed: sparse_attention</translation>
    </message>
    <message>
        <source>Share of the step</source>
        <translation>ステップに占める割合</translation>
    </message>
    <message>
        <source>Share of the step in expert all-to-alls</source>
        <translation>ステップに占めるエキスパート all-to-all</translation>
    </message>
    <message>
        <source>Share of the time to train</source>
        <translation>学習時間に占める割合</translation>
    </message>
    <message>
        <source>Share of the transfers between stages nothing hides</source>
        <translation>ステージ間転送のうち隠れない割合</translation>
    </message>
    <message>
        <source>Share of these collectives nothing hides; above 1 where ranks wait for the slowest besides</source>
        <translation>この集団通信のうち隠れない割合。ランクが最も遅いものを待つ場合は 1 を超えます</translation>
    </message>
    <message>
        <source>Share of these reductions and gathers that nothing hides, where that is more than the last bucket</source>
        <translation>この縮約と収集のうち隠れない割合（最後のバケットより多い場合）</translation>
    </message>
    <message>
        <source>Share of what adapters move besides their products that fused kernels leave out</source>
        <translation>アダプターが積以外に動かすデータのうち、融合カーネルが省く割合</translation>
    </message>
    <message>
        <source>Share reached</source>
        <translation>達する割合</translation>
    </message>
    <message>
        <source>Share reached between nodes</source>
        <translation>ノード間の実効率</translation>
    </message>
    <message>
        <source>Share reached inside a node</source>
        <translation>ノード内の実効率</translation>
    </message>
    <message>
        <source>Share sent</source>
        <translation>送る割合</translation>
    </message>
    <message>
        <source>Share that is done</source>
        <translation>完了した割合</translation>
    </message>
    <message>
        <source>Share that leaves its rank</source>
        <translation>ランクを出る割合</translation>
    </message>
    <message>
        <source>Share that stays</source>
        <translation>残る割合</translation>
    </message>
    <message>
        <source>Share the codec reaches</source>
        <translation>コーデックが達する割合</translation>
    </message>
    <message>
        <source>Shared by all of them</source>
        <translation>すべての層が共有</translation>
    </message>
    <message>
        <source>Shared expert width</source>
        <translation>共有エキスパートの幅</translation>
    </message>
    <message>
        <source>Shared experts</source>
        <translation>共有エキスパート数</translation>
    </message>
    <message>
        <source>Shared experts (shared_experts), forward again</source>
        <translation>共有エキスパート (shared_experts)、順伝播の再計算</translation>
    </message>
    <message>
        <source>Shared experts in</source>
        <translation>共有エキスパート入力側</translation>
    </message>
    <message>
        <source>Shared experts out</source>
        <translation>共有エキスパート出力側</translation>
    </message>
    <message>
        <source>Shared weights</source>
        <translation>共有された重み</translation>
    </message>
    <message>
        <source>Shares of a step</source>
        <translation>ステップの内訳の割合</translation>
    </message>
    <message>
        <source>Sheet</source>
        <translation>一覧表</translation>
    </message>
    <message>
        <source>Shift+Up, Shift+Down</source>
        <translation>Shift+上、Shift+下</translation>
    </message>
    <message>
        <source>Short runs and the plan's depth</source>
        <translation>短い実行と計画の深さ</translation>
    </message>
    <message>
        <source>Short runs that tell most</source>
        <translation>最も多くを語る短い実行</translation>
    </message>
    <message>
        <source>Short runs that try a choice out, each a hundredth of the first plan's training</source>
        <translation>選択肢を試す短い実行。それぞれ最初の計画の学習の 100 分の 1</translation>
    </message>
    <message>
        <source>Shortest kernel</source>
        <translation>最短カーネル</translation>
    </message>
    <message>
        <source>Shortest kernels</source>
        <translation>最短カーネル</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>表示</translation>
    </message>
    <message>
        <source>Show Details...</source>
        <translation>詳細を表示...</translation>
    </message>
    <message>
        <source>Show as &amp;table</source>
        <translation>表として表示(&amp;T)</translation>
    </message>
    <message>
        <source>Show the points it was measured by</source>
        <translation>根拠となった測定点を表示</translation>
    </message>
    <message>
        <source>Show the rows that do not count, with the reason</source>
        <translation>対象外の行を理由とともに表示します</translation>
    </message>
    <message>
        <source>Show the whole step (0)</source>
        <translation>ステップ全体を表示 (0)</translation>
    </message>
    <message>
        <source>Simulated with {1} of the step's {2} micro-batches: the steady middle is shorter than in the step, filling and draining are not.</source>
        <translation>ステップの {2} マイクロバッチのうち {1} で模擬しました。定常部分は実際より短く、充填と排出は実際どおりです。</translation>
    </message>
    <message>
        <source>Single devices of a node are let: charges, hosts and network count by the share of the node that a plan uses. Otherwise whole nodes are held and charged. Slurm: --gres with a shared partition, against --exclusive</source>
        <translation>ノードのデバイスを 1 基ずつ貸し出します。課金、ホスト、ネットワークは、計画が使うノードの割合で数えます。そうでなければノード全体を確保し、課金します。Slurm: 共有パーティションの --gres、対するは --exclusive</translation>
    </message>
    <message>
        <source>Six numbers and how sure they are</source>
        <translation>6 つの数値とその確かさ</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大きさ</translation>
    </message>
    <message>
        <source>Size of large messages</source>
        <translation>大きなメッセージの大きさ</translation>
    </message>
    <message>
        <source>Size of the figure, or what is wrong</source>
        <translation>図の大きさ、または問題点</translation>
    </message>
    <message>
        <source>Skips what windows mask</source>
        <translation>窓の外を省く</translation>
    </message>
    <message>
        <source>Slower of arithmetic and memory</source>
        <translation>演算とメモリの遅い方</translation>
    </message>
    <message>
        <source>Slower of moving and updating</source>
        <translation>移動と更新の遅い方</translation>
    </message>
    <message>
        <source>Slower work beside the rest</source>
        <translation>残りと並んで遅くなる処理</translation>
    </message>
    <message>
        <source>Slowest level</source>
        <translation>最も遅い階層</translation>
    </message>
    <message>
        <source>Slowest of t ranks: host times x (1 + jitter (t - 1))</source>
        <translation>t ランクの最も遅いもの: ホスト時間 x (1 + ばらつき (t - 1))</translation>
    </message>
    <message>
        <source>Slowest rank at scale</source>
        <translation>大規模時の最も遅いランク</translation>
    </message>
    <message>
        <source>Small, LLaMA's kind</source>
        <translation>小、LLaMA 型</translation>
    </message>
    <message>
        <source>Small: 6 layers of 384</source>
        <translation>小: 6 層、幅 384</translation>
    </message>
    <message>
        <source>So many of the first layers keep products in 16 bits. Megatron: --num-layers-at-start-in-bf16</source>
        <translation>最初のこの数の層で、行列積は 16 ビットのままです。Megatron: --num-layers-at-start-in-bf16</translation>
    </message>
    <message>
        <source>So many of the last layers keep products in 16 bits. Megatron: --num-layers-at-end-in-bf16</source>
        <translation>最後のこの数の層で、行列積は 16 ビットのままです。Megatron: --num-layers-at-end-in-bf16</translation>
    </message>
    <message>
        <source>Softmax traffic</source>
        <translation>Softmax の通信量</translation>
    </message>
    <message>
        <source>Softmax, mask and dropout traffic</source>
        <translation>Softmax、マスク、ドロップアウトの通信量</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>ソフトウェア</translation>
    </message>
    <message>
        <source>Software %1</source>
        <translation>ソフトウェア %1</translation>
    </message>
    <message>
        <source>Solve for the share</source>
        <translation>割合を自動で求める</translation>
    </message>
    <message>
        <source>Somebody else uses this computer: %1 points and %2 steps were disturbed and will not be averaged in.</source>
        <translation>他の利用者がこの計算機を使っています。%1 点と %2 ステップに外乱があり、平均に含めません。</translation>
    </message>
    <message>
        <source>Something disturbed all of them.</source>
        <translation>すべての実行に乱れがありました。</translation>
    </message>
    <message>
        <source>Something disturbed the steps of "{1}", which differ too much: it was left out of the fit.</source>
        <translation>「{1}」のステップは、何かに乱されてばらつきが大きすぎるため、当てはめから除きました。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>出典</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>出典</translation>
    </message>
    <message>
        <source>Sparse layers</source>
        <translation>疎な層</translation>
    </message>
    <message>
        <source>Speed of its devices</source>
        <translation>そのデバイスの速度</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分割</translation>
    </message>
    <message>
        <source>Split stage transfers</source>
        <translation>ステージ間転送の分割</translation>
    </message>
    <message>
        <source>Splits</source>
        <translation>分割</translation>
    </message>
    <message>
        <source>Splits by cost</source>
        <translation>コストで分割</translation>
    </message>
    <message>
        <source>Splits norms and dropout over the tensor-parallel devices too. Megatron: --sequence-parallel</source>
        <translation>正規化とドロップアウトもテンソル並列デバイスで分割します。Megatron: --sequence-parallel</translation>
    </message>
    <message>
        <source>Spread of a rank's scores over their mean</source>
        <translation>ランクのスコアのばらつき（平均に対する）</translation>
    </message>
    <message>
        <source>Spread of documents</source>
        <translation>文書のばらつき</translation>
    </message>
    <message>
        <source>Spreadsheets (*.xlsx)</source>
        <translation>表計算ファイル (*.xlsx)</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>ソフトウェア</translation>
    </message>
    <message>
        <source>Stack preset</source>
        <translation>ソフトウェアのプリセット</translation>
    </message>
    <message>
        <source>Stack's GEMM factor</source>
        <translation>ソフトウェアの GEMM 係数</translation>
    </message>
    <message>
        <source>Stack's grouped GEMM factor</source>
        <translation>ソフトウェアのグループ GEMM 係数</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>ステージ</translation>
    </message>
    <message>
        <source>Stage %1 of %2</source>
        <translation>ステージ %1（全 %2）</translation>
    </message>
    <message>
        <source>Stage %1 of %2 needs %3 %6 on devices with %4 %6, %5 %6 too much.</source>
        <translation>%2 ステージ中 %1 番目は、%4 %6 のデバイスで %3 %6 を必要とし、%5 %6 多すぎます。</translation>
    </message>
    <message>
        <source>Stage %1%2: %3 of micro-batch %4
%5, from %6 to %7</source>
        <translation>ステージ %1%2: マイクロバッチ %4 の%3
%5、%6 から %7 まで</translation>
    </message>
    <message>
        <source>Stage %1: idle at %2</source>
        <translation>ステージ %1: %2 の時点で待機</translation>
    </message>
    <message>
        <source>Stage with device and host side by side</source>
        <translation>デバイスとホストが並行するステージ</translation>
    </message>
    <message>
        <source>Stages %1 hold as much.</source>
        <translation>ステージ %1 は同じものを持ちます。</translation>
    </message>
    <message>
        <source>Stages the layers are cut into, p. Megatron: --pipeline-model-parallel-size</source>
        <translation>層を分けるステージ数 p。Megatron: --pipeline-model-parallel-size</translation>
    </message>
    <message>
        <source>Standard deviation of the documents' lengths over their mean; 0: all as long. Attention works on the mean square of the lengths, and ranks wait for the one with the longest documents</source>
        <translation>文書の長さの標準偏差を平均で割ったもの。0 はすべて同じ長さです。アテンションの仕事は長さの二乗平均で決まり、ランクは最も長い文書を持つランクを待ちます</translation>
    </message>
    <message>
        <source>Stands in its way: %1</source>
        <translation>妨げ: %1</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Starting on %1 ranks...</source>
        <translation>%1 ランクで開始しています...</translation>
    </message>
    <message>
        <source>Starting...</source>
        <translation>開始しています...</translation>
    </message>
    <message>
        <source>State head width</source>
        <translation>状態のヘッドの幅</translation>
    </message>
    <message>
        <source>State heads</source>
        <translation>状態のヘッド数</translation>
    </message>
    <message>
        <source>State of the calibration</source>
        <translation>較正の状態</translation>
    </message>
    <message>
        <source>State of the job</source>
        <translation>ジョブの状態</translation>
    </message>
    <message>
        <source>State of the run</source>
        <translation>実行の状態</translation>
    </message>
    <message>
        <source>State the kinds of layers</source>
        <translation>層の種類を書き出す</translation>
    </message>
    <message>
        <source>State the step that you measured: each part is held against it.</source>
        <translation>実測したステップ時間を入力してください。各部分と比べます。</translation>
    </message>
    <message>
        <source>State, backward</source>
        <translation>状態、逆伝播</translation>
    </message>
    <message>
        <source>State, forward</source>
        <translation>状態、順伝播</translation>
    </message>
    <message>
        <source>States in host memory</source>
        <translation>状態をホストメモリに置く</translation>
    </message>
    <message>
        <source>Statistics not yet reduced</source>
        <translation>まだ縮約していない統計量</translation>
    </message>
    <message>
        <source>Statistics of the scores, by row</source>
        <translation>スコアの行ごとの統計量</translation>
    </message>
    <message>
        <source>Statistics, mean over the steps</source>
        <translation>統計量（ステップ平均）</translation>
    </message>
    <message>
        <source>Stays assumed</source>
        <translation>仮定のまま</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Step constant</source>
        <translation>ステップの定数時間</translation>
    </message>
    <message>
        <source>Step of the file</source>
        <translation>ファイル内のステップ</translation>
    </message>
    <message>
        <source>Step there</source>
        <translation>そこでのステップ</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>ステップ時間</translation>
    </message>
    <message>
        <source>Step {1}</source>
        <translation>ステップ {1}</translation>
    </message>
    <message>
        <source>Step {1} of start {2}</source>
        <translation>{2} 回目の開始のステップ {1}</translation>
    </message>
    <message>
        <source>Step&amp;s</source>
        <translation>ステップ数(&amp;S)</translation>
    </message>
    <message>
        <source>Step, predicted</source>
        <translation>予測ステップ</translation>
    </message>
    <message>
        <source>Step: </source>
        <translation>ステップ: </translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>Steps &amp;left</source>
        <translation>残りステップ(&amp;L)</translation>
    </message>
    <message>
        <source>Steps a first-order optimizer takes over the steps this one takes to the same loss, as you measured it; 1 claims nothing</source>
        <translation>同じ損失に達するまでの、1 次オプティマイザとこれのステップ数の比（測定値）。1 は効果なし</translation>
    </message>
    <message>
        <source>Steps left</source>
        <translation>残りステップ</translation>
    </message>
    <message>
        <source>Steps of the log</source>
        <translation>ログのステップ</translation>
    </message>
    <message>
        <source>Steps of the short runs, and what they make of the same layers down to the {1} of the plan, on {2}.</source>
        <translation>短い実行のステップと、それを同じ層のまま計画の {1} 層まで {2}で延ばしたもの。</translation>
    </message>
    <message>
        <source>Steps take {1} of what the benches say for {2}: the model does not explain this machine, and what follows is not calibrated but scaled.</source>
        <translation>ステップの{2}は、ベンチが示す値の {1} かかります。モデルはこの計算機を説明できず、以下の値は較正ではなく換算です。</translation>
    </message>
    <message>
        <source>Steps until they wear out</source>
        <translation>消耗までのステップ数</translation>
    </message>
    <message>
        <source>Steps {1} to {2}</source>
        <translation>ステップ {1} から {2}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>止めて閉じる</translation>
    </message>
    <message>
        <source>Stop and show what was found up to now</source>
        <translation>停止して、それまでに見つかったものを表示します</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>今すぐ停止</translation>
    </message>
    <message>
        <source>Stop the export; the files that are written stay</source>
        <translation>書き出しを中止します。書き終えたファイルは残ります</translation>
    </message>
    <message>
        <source>Stop; half a search answers nothing</source>
        <translation>停止します。途中の探索では何も分かりません</translation>
    </message>
    <message>
        <source>Stop; half an answer is none</source>
        <translation>停止。途中の答えは答えになりません</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>停止しました</translation>
    </message>
    <message>
        <source>Stopping after this step...</source>
        <translation>このステップの後に停止します...</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Stream fraction</source>
        <translation>ストリーム効率</translation>
    </message>
    <message>
        <source>Streamed fraction</source>
        <translation>ストリームの割合</translation>
    </message>
    <message>
        <source>Streamed memory bandwidth</source>
        <translation>ストリームのメモリ帯域</translation>
    </message>
    <message>
        <source>Study's formula</source>
        <translation>論文の式</translation>
    </message>
    <message>
        <source>Submit</source>
        <translation>投入</translation>
    </message>
    <message>
        <source>Submit a job of %1 for at most %2 (hh:mm) to %3?</source>
        <translation>%1、最長 %2（時:分）のジョブを %3 に投入しますか？</translation>
    </message>
    <message>
        <source>Submit the job</source>
        <translation>ジョブの投入</translation>
    </message>
    <message>
        <source>Submit the job inside that folder: {1}</source>
        <translation>そのフォルダの中でジョブを投入します: {1}</translation>
    </message>
    <message>
        <source>Submit...</source>
        <translation>投入...</translation>
    </message>
    <message>
        <source>Submitting...</source>
        <translation>投入しています...</translation>
    </message>
    <message>
        <source>Surely fits below</source>
        <translation>これ以下は確実に収まる</translation>
    </message>
    <message>
        <source>Sustained share</source>
        <translation>持続率</translation>
    </message>
    <message>
        <source>Sustained share, attention</source>
        <translation>持続率、アテンション</translation>
    </message>
    <message>
        <source>Sustained share, fp8</source>
        <translation>持続率、fp8</translation>
    </message>
    <message>
        <source>Sweeps</source>
        <translation>掃引</translation>
    </message>
    <message>
        <source>Symmetric products</source>
        <translation>対称積</translation>
    </message>
    <message>
        <source>T&amp;ime</source>
        <translation>時間(&amp;I)</translation>
    </message>
    <message>
        <source>T&amp;ime limit</source>
        <translation>制限時間(&amp;I)</translation>
    </message>
    <message>
        <source>T&amp;itle</source>
        <translation>題(&amp;I)</translation>
    </message>
    <message>
        <source>T01 to T12 as one spreadsheet, a sheet for each</source>
        <translation>T01～T12 を 1 つの表計算ファイルに、表ごとに 1 シート</translation>
    </message>
    <message>
        <source>TFLOP/s of a log ({1}) count operations by the formula of its release: they are not used.</source>
        <translation>ログの TFLOP/s（{1}）は、その版の式で演算を数えたものなので、使いません。</translation>
    </message>
    <message>
        <source>TFLOP/s per W</source>
        <translation>TFLOP/s / W</translation>
    </message>
    <message>
        <source>TP</source>
        <translation>TP</translation>
    </message>
    <message>
        <source>TWh</source>
        <translation>TWh</translation>
    </message>
    <message>
        <source>Tables (*.csv *.json);;All files (*)</source>
        <translation>表 (*.csv *.json);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表 (*.csv)</translation>
    </message>
    <message>
        <source>Tables and logs (*.csv *.tsv *.txt *.log *.out *.jsonl *.part);;All files (*)</source>
        <translation>表とログ (*.csv *.tsv *.txt *.log *.out *.jsonl *.part);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>Tables before training</source>
        <translation>学習前の表</translation>
    </message>
    <message>
        <source>Tables trained</source>
        <translation>表も学習</translation>
    </message>
    <message>
        <source>Tables, texts and figures stand here as soon as a proposal can be made.</source>
        <translation>申請書を作成できるようになると、表、文章、図がここに表示されます。</translation>
    </message>
    <message>
        <source>Tables, texts, figures, checklist, plans and job scripts, into a folder</source>
        <translation>表、文章、図、確認表、計画、ジョブスクリプトをフォルダに書き出します</translation>
    </message>
    <message>
        <source>Take the t&amp;our</source>
        <translation>ツアーを始める(&amp;O)</translation>
    </message>
    <message>
        <source>Taken by failures</source>
        <translation>障害が奪う時間</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>所要時間</translation>
    </message>
    <message>
        <source>Takes less</source>
        <translation>短くなる</translation>
    </message>
    <message>
        <source>Takes longer</source>
        <translation>長くなる</translation>
    </message>
    <message>
        <source>Te&amp;nsor</source>
        <translation>テンソル(&amp;N)</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>テンソル</translation>
    </message>
    <message>
        <source>Tensor %1 x pipeline %2: %3</source>
        <translation>テンソル %1 × パイプライン %2: %3</translation>
    </message>
    <message>
        <source>Tensor communication that nothing hides</source>
        <translation>隠れないテンソル通信</translation>
    </message>
    <message>
        <source>Tensor crossing</source>
        <translation>テンソル通信のノード越え</translation>
    </message>
    <message>
        <source>Tensor depth</source>
        <translation>テンソルの深さ</translation>
    </message>
    <message>
        <source>Tensor grid</source>
        <translation>テンソル格子</translation>
    </message>
    <message>
        <source>Tensor mode</source>
        <translation>テンソルモード</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>テンソル並列</translation>
    </message>
    <message>
        <source>Tensor ranks inside a node, even stages and chunks, micro-batch, recomputation, a sharded optimizer; expert ranks, context ranks and all that the plan uses besides</source>
        <translation>ノード内のテンソルランク、均等なステージとチャンク、マイクロバッチ、再計算、オプティマイザのシャーディング、エキスパートランク、コンテキストランク、および計画が使うその他のもの</translation>
    </message>
    <message>
        <source>Tensor ranks share the tokens where they do not share the weights</source>
        <translation>テンソルランクが重みを分担しない箇所でトークンを分担します</translation>
    </message>
    <message>
        <source>Tensor-parallel activations</source>
        <translation>テンソル並列のアクティベーション</translation>
    </message>
    <message>
        <source>Tensor-parallel exposure</source>
        <translation>テンソル並列の露出</translation>
    </message>
    <message>
        <source>Tensor-parallel ranks</source>
        <translation>テンソル並列ランク</translation>
    </message>
    <message>
        <source>Tensor-parallel ranks: they share every layer</source>
        <translation>テンソル並列ランク: 各層を分担します</translation>
    </message>
    <message>
        <source>Tensor-parallel wait</source>
        <translation>テンソル並列の待ち</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>項</translation>
    </message>
    <message>
        <source>Text (*.txt *.csv *.sacct);;All files (*)</source>
        <translation>テキスト (*.txt *.csv *.sacct);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>That is made orthogonal and exchanged in a step: Dion takes part of it</source>
        <translation>1 ステップで直交化し交換する割合: Dion は一部だけを扱います</translation>
    </message>
    <message>
        <source>That is within {1}: the plan holds, nothing was searched.</source>
        <translation>{1} 以内です。計画どおりなので探索していません。</translation>
    </message>
    <message>
        <source>That may be written to one drive before it wears out (TBW); 0 when not known</source>
        <translation>1 ドライブが消耗するまでに書き込める量 (TBW)。不明なら 0</translation>
    </message>
    <message>
        <source>That micro-batch does not fit in memory.</source>
        <translation>そのマイクロバッチはメモリに収まりません。</translation>
    </message>
    <message>
        <source>That micro-batch may not fit in memory.</source>
        <translation>そのマイクロバッチはメモリに収まらないおそれがあります。</translation>
    </message>
    <message>
        <source>That of the verdict: what is changed here changes it too</source>
        <translation>判定と同じ値です。ここで変えると判定も変わります</translation>
    </message>
    <message>
        <source>The CPUs update while the next step computes with weights one update old (ZeRO-Offload, section 5.2)</source>
        <translation>1 回前の更新の重みで次のステップを計算する間に CPU が更新します (ZeRO-Offload, section 5.2)</translation>
    </message>
    <message>
        <source>The Trainer does not split a model by itself. Nearest: tensor, pipeline, context and expert parallel 1.</source>
        <translation>Trainer は単独ではモデルを分割しません。最も近い値: テンソル、パイプライン、コンテキスト、エキスパート並列 1。</translation>
    </message>
    <message>
        <source>The Trainer has no fp8 products. Nearest: bf16.</source>
        <translation>Trainer に fp8 の積はありません。最も近い値: bf16。</translation>
    </message>
    <message>
        <source>The Trainer keeps everything on the device here. Nearest: no offloading.</source>
        <translation>ここでは Trainer はすべてをデバイスに置きます。最も近い値: オフロードなし。</translation>
    </message>
    <message>
        <source>The Trainer keeps no second copy of shards. Nearest: secondary shard 0.</source>
        <translation>Trainer はシャードの二つ目の複製を持ちません。最も近い値: 二次シャード 0。</translation>
    </message>
    <message>
        <source>The Trainer recomputes whole layers, all of them. Nearest: recompute none, full.</source>
        <translation>Trainer はすべての層を丸ごと再計算します。最も近い値: 再計算なし、完全。</translation>
    </message>
    <message>
        <source>The Trainer shards no factors of K-FAC or Shampoo. Nearest: adam, adam-8bit, sgd.</source>
        <translation>Trainer は K-FAC や Shampoo の因子をシャーディングしません。最も近い値: adam、adam-8bit、sgd。</translation>
    </message>
    <message>
        <source>The Trainer shards with FSDP, gradients included. Nearest: ZeRO stage 0, 2, 3.</source>
        <translation>Trainer は FSDP で勾配も含めてシャーディングします。最も近い値: ZeRO ステージ 0、2、3。</translation>
    </message>
    <message>
        <source>The Trainer's hybrid sharding is that of stage 3, within a node. Nearest: shard group of a node, or none.</source>
        <translation>Trainer のハイブリッドシャーディングはステージ 3 で、ノード内のものです。最も近い値: ノード単位のシャードグループ、またはなし。</translation>
    </message>
    <message>
        <source>The answer</source>
        <translation>答え</translation>
    </message>
    <message>
        <source>The backward pass waits for the layer inputs that it gathers again; off: that hides behind a product</source>
        <translation>逆伝播が再び集める層入力を待ちます。オフ: 行列積の陰に隠れます</translation>
    </message>
    <message>
        <source>The batch of {1} tokens costs {2} more tokens than many small steps would for the same loss.</source>
        <translation>{1} トークンのバッチは、同じ損失に達する多数の小さなステップに比べて {2} 多くのトークンを要します。</translation>
    </message>
    <message>
        <source>The batch system does not know this job: it is asked after no longer</source>
        <translation>バッチシステムはこのジョブを知りません。以後は問い合わせません</translation>
    </message>
    <message>
        <source>The best layout with 0.80 and 1.25 times the network, the memory and the efficiencies.</source>
        <translation>ネットワーク、メモリ、効率を 0.80 倍と 1.25 倍にしたときの最良の構成。</translation>
    </message>
    <message>
        <source>The best plan on every number of nodes, the limit and the answer stand here once a goal was searched. Three examples above begin with one click.</source>
        <translation>目標を探索すると、各ノード数での最良の計画、制限、答えがここに示されます。上の三つの例は一回のクリックで始まります。</translation>
    </message>
    <message>
        <source>The best plan within limits</source>
        <translation>制限内の最良の計画</translation>
    </message>
    <message>
        <source>The best plan within these limits, looked for beside the window</source>
        <translation>制限内の最良の計画を並行して探します</translation>
    </message>
    <message>
        <source>The best that surely fits: {1}, {2} a step, {3} of a device.</source>
        <translation>確実に収まる中で最良: {1}、1 ステップ {2}、デバイスの {3}。</translation>
    </message>
    <message>
        <source>The best {1} ({2} of a device).</source>
        <translation>最良のもの: {1}（デバイスの {2}）。</translation>
    </message>
    <message>
        <source>The busiest stage has %1 of them: %2, %3 of a step.</source>
        <translation>最も忙しいステージに %1 層あり、%2、ステップの %3 です。</translation>
    </message>
    <message>
        <source>The busiest stage has none of them.</source>
        <translation>最も忙しいステージにはありません。</translation>
    </message>
    <message>
        <source>The busiest stage holds neither end</source>
        <translation>最も忙しいステージには両端がありません</translation>
    </message>
    <message>
        <source>The causes are independent: the squares of their logarithms add up to that of the range. Prices, failure rates and power are no part of it; the bars show them.</source>
        <translation>原因は独立で、それぞれの対数の 2 乗の和が範囲の対数の 2 乗になります。価格、故障率、電力は含まれません。それらは棒が示します。</translation>
    </message>
    <message>
        <source>The cell pointed at</source>
        <translation>指しているセル</translation>
    </message>
    <message>
        <source>The changes cannot be recovered. They stay in %1.</source>
        <translation>変更を復元できません。%1 に残っています。</translation>
    </message>
    <message>
        <source>The charts of one node run over devices: measured runs have no place there</source>
        <translation>1 ノードの図の横軸はデバイス数のため、実測は描けません</translation>
    </message>
    <message>
        <source>The chosen kind goes</source>
        <translation>選んだ種類を削除します</translation>
    </message>
    <message>
        <source>The command that Start runs</source>
        <translation>「開始」で実行するコマンド</translation>
    </message>
    <message>
        <source>The current plan</source>
        <translation>現在の計画</translation>
    </message>
    <message>
        <source>The current plan: %1</source>
        <translation>現在の計画: %1</translation>
    </message>
    <message>
        <source>The day by which it has to end if it starts today</source>
        <translation>今日始めた場合に終わっていなければならない日</translation>
    </message>
    <message>
        <source>The devices do the update</source>
        <translation>デバイスが更新する</translation>
    </message>
    <message>
        <source>The drives are short by {1} per node</source>
        <translation>ドライブがノードあたり {1} 不足</translation>
    </message>
    <message>
        <source>The earliest end with no more node-hours than the plan takes now</source>
        <translation>今の計画以下のノード時間で最も早い終了</translation>
    </message>
    <message>
        <source>The end is a day to come, such as %1.</source>
        <translation>終了日は %1 のような今後の日付で指定する。</translation>
    </message>
    <message>
        <source>The engine codes gathered weights as it does gradients: no codec of their own works.</source>
        <translation>エンジンは集める重みを勾配と同じように符号化します。専用のコーデックは使えません。</translation>
    </message>
    <message>
        <source>The engine encodes sums once: encoding once works.</source>
        <translation>エンジンは和を 1 回符号化します。符号化は once にしてください。</translation>
    </message>
    <message>
        <source>The engine ended%1 with exit code %2.</source>
        <translation>エンジンが終了コード %2 で終了しました%1。</translation>
    </message>
    <message>
        <source>The engine ended%1: %2.</source>
        <translation>エンジンが終了しました%1: %2</translation>
    </message>
    <message>
        <source>The engine gives every stage the same layers.</source>
        <translation>エンジンは全ステージに同じ層数を割り当てます。</translation>
    </message>
    <message>
        <source>The engine has no GPipe schedule: 1f1b and interleaved work.</source>
        <translation>エンジンに GPipe スケジュールはありません。1f1b と interleaved が使えます。</translation>
    </message>
    <message>
        <source>The engine has no context parallelism: 1 works.</source>
        <translation>エンジンにコンテキスト並列はありません。1 にしてください。</translation>
    </message>
    <message>
        <source>The engine has no experts: it takes dense models.</source>
        <translation>エンジンにエキスパートはありません。密モデルを使ってください。</translation>
    </message>
    <message>
        <source>The engine has no lossless codec: fp8, zfp and top_k work.</source>
        <translation>エンジンに可逆コーデックはありません。fp8、zfp、top_k が使えます。</translation>
    </message>
    <message>
        <source>The engine has no zero-bubble schedule: 1f1b and interleaved work.</source>
        <translation>エンジンにゼロバブルスケジュールはありません。1f1b と interleaved が使えます。</translation>
    </message>
    <message>
        <source>The engine has plain attention only: neither latent nor sparse.</source>
        <translation>エンジンのアテンションは通常型だけで、潜在型と疎型はありません。</translation>
    </message>
    <message>
        <source>The engine has two norms a layer and one at the end.</source>
        <translation>エンジンの正規化は層ごとに 2 つと最後に 1 つです。</translation>
    </message>
    <message>
        <source>The engine hides reductions behind the backward pass under ZeRO 0 and 1 only.</source>
        <translation>エンジンが勾配の縮約を逆伝播に隠せるのは、ZeRO 0 と 1 のときだけです。</translation>
    </message>
    <message>
        <source>The engine is being built; Calibrate will be ready in a few minutes.</source>
        <translation>エンジンをビルドしています。「較正」は数分で使えるようになります。</translation>
    </message>
    <message>
        <source>The engine keeps no second copy of the weights: secondary shard 0 works.</source>
        <translation>エンジンは重みの 2 つ目の写しを持ちません。二次シャード 0 なら動きます。</translation>
    </message>
    <message>
        <source>The engine recomputes all layers or none: recomputed layers 0 works.</source>
        <translation>エンジンは全層を再計算するか、しないかです。再計算する層数は 0 にしてください。</translation>
    </message>
    <message>
        <source>The engine runs already.</source>
        <translation>エンジンはすでに動いています。</translation>
    </message>
    <message>
        <source>The engine shards over all data ranks: shard group 0 works.</source>
        <translation>エンジンは全データランクでシャーディングします。シャードグループは 0 にしてください。</translation>
    </message>
    <message>
        <source>The engine splits tensors in one dimension, not over a grid.</source>
        <translation>エンジンのテンソル分割は 1 次元で、格子はありません。</translation>
    </message>
    <message>
        <source>The engine takes a codec for each kind of traffic: scheme custom works.</source>
        <translation>エンジンは通信の種類ごとにコーデックを指定します。方式は custom にしてください。</translation>
    </message>
    <message>
        <source>The engine trains two kinds of model: GPT-2's (layer norm, GELU, learned positions, tied head, biases) and LLaMA's (RMS norm, SwiGLU, rotary positions, own head, no biases).</source>
        <translation>エンジンが学習できるモデルは 2 種類です: GPT-2 型（LayerNorm、GELU、学習する位置、共有ヘッド、バイアスあり）と LLaMA 型（RMSNorm、SwiGLU、回転位置、独立ヘッド、バイアスなし）。</translation>
    </message>
    <message>
        <source>The engine trains without dropout.</source>
        <translation>エンジンはドロップアウトなしで学習します。</translation>
    </message>
    <message>
        <source>The engine's layers are all alike: plain attention and a feed-forward block, and one token ahead.</source>
        <translation>エンジンの層はすべて同じです。通常のアテンションとフィードフォワードブロックで、次の 1 トークンを予測します。</translation>
    </message>
    <message>
        <source>The equations of Yin et al. (2023), an ORNL study of training on Frontier, for the current plan: what each gives as printed, and what it has to be read as, or the full model's figure where there is one.</source>
        <translation>Frontier での学習に関する ORNL の研究、Yin ほか (2023) の式を現在の計画に当てはめた値です。印刷どおりの値と、正しく読んだ値、または該当する場合は完全なモデルの値を示します。</translation>
    </message>
    <message>
        <source>The example could not be read.</source>
        <translation>計画例を読めませんでした。</translation>
    </message>
    <message>
        <source>The export begins when the published runs are compared</source>
        <translation>公表事例との照合が終わると書き出しを始めます</translation>
    </message>
    <message>
        <source>The export has stopped.</source>
        <translation>書き出しが止まりました。</translation>
    </message>
    <message>
        <source>The fastest way to spread each layer, and what one way for all layers loses.</source>
        <translation>各層を最も速く分散する方法と、全層で同じ方法にした場合の損失。</translation>
    </message>
    <message>
        <source>The fewest nodes that end it no later than the plan does now</source>
        <translation>今の計画より遅くならずに終わる最少のノード数</translation>
    </message>
    <message>
        <source>The fewest nodes that fit, and with a budget of node-hours the number that ends first.</source>
        <translation>収まる最少のノード数と、ノード時間の予算内で最も早く終わるノード数。</translation>
    </message>
    <message>
        <source>The figure as it will be exported</source>
        <translation>書き出される図の見本</translation>
    </message>
    <message>
        <source>The figures could not be exported.</source>
        <translation>図を書き出せませんでした。</translation>
    </message>
    <message>
        <source>The file has changed</source>
        <translation>ファイルが変わりました</translation>
    </message>
    <message>
        <source>The file is gone</source>
        <translation>ファイルがありません</translation>
    </message>
    <message>
        <source>The file was changed by another program since it was opened or saved here.</source>
        <translation>ここで開くか保存した後に、ほかのプログラムがこのファイルを変更しました。</translation>
    </message>
    <message>
        <source>The files do not name the machine: choose the one that they are for.</source>
        <translation>ファイルは計算機を指定していません。対象の計算機を選んでください。</translation>
    </message>
    <message>
        <source>The files that were written lay in memory: nothing was learned of the file system.</source>
        <translation>書き込んだファイルはメモリにあったため、ファイルシステムについては何も分かりませんでした。</translation>
    </message>
    <message>
        <source>The folder of the job that ran</source>
        <translation>行ったジョブのフォルダー</translation>
    </message>
    <message>
        <source>The folder that the job was written to; it can also be dropped on the window</source>
        <translation>ジョブを書き出したフォルダーです。ウィンドウにドロップすることもできます</translation>
    </message>
    <message>
        <source>The fullest stage has %1 of them: %2 of a device's memory.</source>
        <translation>メモリを最も使うステージに %1 層あり、デバイスメモリの %2 です。</translation>
    </message>
    <message>
        <source>The furthest memory that anything is kept in</source>
        <translation>データを置く最も遠いメモリ</translation>
    </message>
    <message>
        <source>The global batch stays; layouts of the common choices are searched on each count.</source>
        <translation>グローバルバッチは変えません。ノード数ごとに一般的な選択肢の構成を探索します。</translation>
    </message>
    <message>
        <source>The head's product comes before the pieces, and what is kept of its logits is there for all of them; off: each piece has its own product, and nothing is kept</source>
        <translation>ヘッドの積が分割の前に来て、保持するロジットはすべての分割についてあります。オフ: 分割ごとに積があり、何も保持しません</translation>
    </message>
    <message>
        <source>The job and its scripts</source>
        <translation>ジョブとそのスクリプト</translation>
    </message>
    <message>
        <source>The job is in %1</source>
        <translation>ジョブは %1 にあります</translation>
    </message>
    <message>
        <source>The job is in %1: submit job.sh there</source>
        <translation>ジョブを %1 に書き出しました。そこで job.sh を投入してください</translation>
    </message>
    <message>
        <source>The job's script</source>
        <translation>ジョブスクリプト</translation>
    </message>
    <message>
        <source>The language changes at the next start</source>
        <translation>言語は次回の起動から変わります</translation>
    </message>
    <message>
        <source>The larger it is, the closer it comes to a real one, and the longer a step takes</source>
        <translation>大きいほど実際に近づき、ステップは長くなります</translation>
    </message>
    <message>
        <source>The layer being recomputed</source>
        <translation>再計算中の層</translation>
    </message>
    <message>
        <source>The least energy that ends it in no more than twice the time it takes now</source>
        <translation>今の 2 倍以内の時間で終わる最少のエネルギー</translation>
    </message>
    <message>
        <source>The least memory that holds it is {1} x {2} of {3} (a device: {4}), {5} tokens/s.</source>
        <translation>保持できる最小のメモリは {1} x {2}（{3}）です（デバイスあたり: {4}）。{5} トークン/秒。</translation>
    </message>
    <message>
        <source>The least model parallelism that fits, as the rule says, and the fastest tensor x pipeline split.</source>
        <translation>経験則による、収まる最小のモデル並列と、最速のテンソル × パイプライン分割。</translation>
    </message>
    <message>
        <source>The likely range</source>
        <translation>推定範囲</translation>
    </message>
    <message>
        <source>The likely range is not known: the published runs are not compared yet, or none is like this plan.</source>
        <translation>推定範囲は不明です。公表された実行との比較がまだか、この計画に似たものがありません。</translation>
    </message>
    <message>
        <source>The log does not say which model ran. Open it together with its script to plan it; as it is, it can be compared with the plan in front.</source>
        <translation>ログは、どのモデルが実行されたかを述べていません。計画にするには、スクリプトと一緒に開いてください。このままでも、手前の計画と比較できます。</translation>
    </message>
    <message>
        <source>The log has {1} sequences a step, the plan {2}.</source>
        <translation>1 ステップの系列数は、ログでは {1}、計画では {2} です。</translation>
    </message>
    <message>
        <source>The log is of {1} devices, the plan of {2}.</source>
        <translation>デバイス数は、ログでは {1}、計画では {2} です。</translation>
    </message>
    <message>
        <source>The log prints {1} tokens a second and device, {2} from what its step times give with this batch, length and number of devices: one of them is not what ran.</source>
        <translation>ログはデバイスごとに毎秒 {1} トークンと出力していますが、ステップ時間とこのバッチ、長さ、デバイス数から得られる値とは {2} 異なります。どれかが実際に実行されたものと違います。</translation>
    </message>
    <message>
        <source>The loss of every step, once the first is done.</source>
        <translation>各ステップの損失。最初のステップが終わると表示されます。</translation>
    </message>
    <message>
        <source>The loss of the running training layout, once its first step is done.</source>
        <translation>実行中の学習構成の損失。最初のステップが終わると表示されます。</translation>
    </message>
    <message>
        <source>The loss takes them in pieces of at most this size; 0: all at once</source>
        <translation>損失は最大この大きさずつ処理します。0: 一度に全部</translation>
    </message>
    <message>
        <source>The mean; 0 fills every sequence with one example</source>
        <translation>平均。0 では 1 つの例がどの系列も満たします</translation>
    </message>
    <message>
        <source>The measured machine and software in place of the plan's, as one step that can be undone</source>
        <translation>計画の計算機とソフトウェアを測定したものに置き換えます。1 回の操作として元に戻せます</translation>
    </message>
    <message>
        <source>The measured runs count from here on, as "I measured this" does; Undo takes them back</source>
        <translation>実測した実行が、「実測を登録」と同じように今後数えられます。元に戻すと取り消されます</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>The model alone predicts %1 of memory, %2 less than measured.</source>
        <translation>モデルのみの予測はメモリ %1 で、実測より %2 少ない値です。</translation>
    </message>
    <message>
        <source>The model alone predicts %1 of memory, %2 more than measured.</source>
        <translation>モデルのみの予測はメモリ %1 で、実測より %2 多い値です。</translation>
    </message>
    <message>
        <source>The model alone predicts a step of %1, %2 longer than measured.</source>
        <translation>モデルのみの予測は 1 ステップ %1 で、実測より %2 長い値です。</translation>
    </message>
    <message>
        <source>The model alone predicts a step of %1, %2 shorter than measured.</source>
        <translation>モデルのみの予測は 1 ステップ %1 で、実測より %2 短い値です。</translation>
    </message>
    <message>
        <source>The model alone says %1</source>
        <translation>モデルのみの値は %1</translation>
    </message>
    <message>
        <source>The model and tokens that node-hours pay for at the rate of this plan</source>
        <translation>この計画の速度で、ノード時間から得られるモデルとトークン数</translation>
    </message>
    <message>
        <source>The model is scaled down to what trains here in seconds; its kind of layer stays</source>
        <translation>モデルはここで数秒で学習できる大きさに縮小されます。層の種類は変わりません</translation>
    </message>
    <message>
        <source>The most that {1} hold is {2} parameters, and twenty tokens for each take {3}: {4}.</source>
        <translation>{1} に収まるのは最大 {2} パラメータで、1 パラメータあたり 20 トークンの学習に {3} かかる：{4}。</translation>
    </message>
    <message>
        <source>The most that {1} hold is {2} parameters, tuned on the plan's tokens in {3}: {4}.</source>
        <translation>{1} に収まる最大は {2} パラメータで、計画のトークンでの調整に {3} かかります: {4}。</translation>
    </message>
    <message>
        <source>The numbers are those of the plan without it; Esc in the field brings its value back.</source>
        <translation>数値は、それを除いた計画のものです。欄で Esc を押すと元の値に戻ります。</translation>
    </message>
    <message>
        <source>The numbers of plans like this one start from "%1" now; Undo takes it back</source>
        <translation>これに似た計画の数値は「%1」を起点にします。元に戻すで取り消せます</translation>
    </message>
    <message>
        <source>The output gate is one matrix in place of two of low rank (Kimi K3)</source>
        <translation>出力ゲートは、低ランクの 2 つの行列ではなく 1 つの行列です（Kimi K3）</translation>
    </message>
    <message>
        <source>The pack was written into %1.</source>
        <translation>一式を %1 に書き出しました。</translation>
    </message>
    <message>
        <source>The part of the proposal</source>
        <translation>申請書の部分</translation>
    </message>
    <message>
        <source>The part that is marked, in each plan</source>
        <translation>印を付けた部分の、各計画での値</translation>
    </message>
    <message>
        <source>The pattern names it</source>
        <translation>パターンで使われています</translation>
    </message>
    <message>
        <source>The plan asks for {1}; the machine has {2} ({3} of {4}).</source>
        <translation>計画は{1}を求めますが、計算機には {2} しかありません（{3} × {4}）。</translation>
    </message>
    <message>
        <source>The plan before and after</source>
        <translation>実測の前後の計画</translation>
    </message>
    <message>
        <source>The plan begins with the fastest layout that leaves memory free; everything can be changed afterwards.</source>
        <translation>計画は、メモリに余裕を残す最速の並列構成から始まる。後からすべて変更できる。</translation>
    </message>
    <message>
        <source>The plan can be computed then, and %1</source>
        <translation>計画が計算できるようになり、%1</translation>
    </message>
    <message>
        <source>The plan cannot be computed as it stands.</source>
        <translation>計画が現状では計算できません。</translation>
    </message>
    <message>
        <source>The plan cannot be computed as it stands; nothing was exported</source>
        <translation>計画が現状では計算できないため、何も書き出していません</translation>
    </message>
    <message>
        <source>The plan cannot be computed with any ZeRO stage.</source>
        <translation>どの ZeRO ステージでもこの計画は計算できません。</translation>
    </message>
    <message>
        <source>The plan could not be saved.</source>
        <translation>計画を保存できませんでした。</translation>
    </message>
    <message>
        <source>The plan does not fit: {1}.</source>
        <translation>計画は収まりません。{1}。</translation>
    </message>
    <message>
        <source>The plan fits with none of the schedules that its software has.</source>
        <translation>ソフトウェアが持つどのスケジュールでも、計画はメモリに収まりません。</translation>
    </message>
    <message>
        <source>The plan fits: {1}.</source>
        <translation>計画は収まります。{1}。</translation>
    </message>
    <message>
        <source>The plan has changed since: this is the answer for the plan before.</source>
        <translation>計画はその後変わりました。これは前の計画への答えです。</translation>
    </message>
    <message>
        <source>The plan has changed: readings belonged to the plan before and are out of view. Search again if the job runs as the plan says now; Ctrl+Z returns.</source>
        <translation>計画が変わりました。読み込んだ値は以前の計画のものなので表示していません。ジョブが現在の計画どおりなら再度探索してください。Ctrl+Z で戻ります。</translation>
    </message>
    <message>
        <source>The plan has one pipeline stage: without a pipeline all schedules are the same.</source>
        <translation>計画のパイプラインステージは 1 つです。パイプラインがなければスケジュールはどれも同じです。</translation>
    </message>
    <message>
        <source>The plan in front against those of the other tabs</source>
        <translation>前に出ている計画を、ほかのタブの計画と比べます</translation>
    </message>
    <message>
        <source>The plan in front differs from what ran: %1.</source>
        <translation>手前の計画は、実行されたものと次の点で異なります: %1。</translation>
    </message>
    <message>
        <source>The plan in front is what ran.</source>
        <translation>手前の計画は、実行されたものです。</translation>
    </message>
    <message>
        <source>The plan is now %1; Ctrl+Z returns</source>
        <translation>計画は %1 になりました。Ctrl+Z で戻ります</translation>
    </message>
    <message>
        <source>The plan is now on %1; Ctrl+Z returns</source>
        <translation>計画は %1 上になりました。Ctrl+Z で戻ります</translation>
    </message>
    <message>
        <source>The plan may not fit: {1}.</source>
        <translation>計画は収まらないかもしれません。{1}。</translation>
    </message>
    <message>
        <source>The plan takes %1 of a device, what lives outside the allocator included; between %2 and %3 predictions miss too often to tell.</source>
        <translation>このプランは、アロケータの外にあるものを含めてデバイスの %1 を使います。%2 から %3 の間では予測の外れが多く、判断できません。</translation>
    </message>
    <message>
        <source>The plan then %1 and trains in %2</source>
        <translation>計画は%1、学習時間は %2 になります</translation>
    </message>
    <message>
        <source>The plan with each ZeRO stage, part by part, and why a higher stage may need more.</source>
        <translation>各 ZeRO ステージでの計画の内訳と、高いステージの方が多く必要とすることがある理由。</translation>
    </message>
    <message>
        <source>The plan with each schedule that its software has, side by side: step, bubble, memory and transfers.</source>
        <translation>ソフトウェアが持つ各スケジュールでの計画を並べます: ステップ、バブル、メモリ、転送。</translation>
    </message>
    <message>
        <source>The plan's model</source>
        <translation>この計画のモデル</translation>
    </message>
    <message>
        <source>The plan's step after: {1}.</source>
        <translation>実測後の計画のステップ: {1}。</translation>
    </message>
    <message>
        <source>The plan's step before: {1}.</source>
        <translation>これまでの計画のステップ: {1}。</translation>
    </message>
    <message>
        <source>The plans</source>
        <translation>計画</translation>
    </message>
    <message>
        <source>The plans that the page Compare shows are further runs of the campaign</source>
        <translation>ページ「比較」に出ている計画を、この計画群の別の実行として加えます</translation>
    </message>
    <message>
        <source>The points of every bench as they arrive.</source>
        <translation>各ベンチの測定点が届き次第表示されます。</translation>
    </message>
    <message>
        <source>The predictions are sealed by a checksum of 64 bits (FNV-1a), as engines wrote before SHA-256: it shows that the log was damaged, not that somebody changed it on purpose.</source>
        <translation>予測は、SHA-256 より前のエンジンが書いた 64 ビットのチェックサム (FNV-1a) で封じられています。ログの破損は分かりますが、意図的な変更は分かりません。</translation>
    </message>
    <message>
        <source>The predictions in this log were not made from the lines before them: it was changed after it was written.</source>
        <translation>このログの予測は、それより前の行から作られたものではありません。書かれた後に変更されています。</translation>
    </message>
    <message>
        <source>The preset of {1} does not describe {2} jobs: these are the general lines, and the site may want more. Compare them with its guide.</source>
        <translation>{1} のプリセットに {2} ジョブの記述がないため、一般的な行です。サイトの利用の手引きと照らし合わせてください。</translation>
    </message>
    <message>
        <source>The preset of {1} does not say how many cores a job has on a node (cores_per_rank of the scheduler's job): ranks would use one each and stand for {2}; --nodes 1 works</source>
        <translation>{1} のプリセットには、ジョブが 1 ノードで使えるコア数（スケジューラのジョブの cores_per_rank）がありません。ランクは 1 コアずつ使いながら {2} とみなされることになります。--nodes 1 なら使えます</translation>
    </message>
    <message>
        <source>The presets cpu-2core and plimsoll-engine, which a calibration starts from, are not there.</source>
        <translation>較正の出発点となるプリセット cpu-2core と plimsoll-engine がありません。</translation>
    </message>
    <message>
        <source>The project that pays</source>
        <translation>課金先の課題</translation>
    </message>
    <message>
        <source>The proof as CSV and Markdown and its figures, into a folder</source>
        <translation>検証表を CSV と Markdown、図とともにフォルダに書き出します</translation>
    </message>
    <message>
        <source>The published runs could not be priced</source>
        <translation>公表事例を計算できませんでした</translation>
    </message>
    <message>
        <source>The range follows when the published runs are compared.</source>
        <translation>公表された実行との比較が終わると範囲を示します。</translation>
    </message>
    <message>
        <source>The ranks stopped making progress%1 and the engine ended the run.</source>
        <translation>ランクが進まなくなり%1、エンジンが実行を終えました。</translation>
    </message>
    <message>
        <source>The rest</source>
        <translation>残り</translation>
    </message>
    <message>
        <source>The rule's plan is {1} the fastest split.</source>
        <translation>経験則の計画: {1} 最速の分割。</translation>
    </message>
    <message>
        <source>The rule's plan is {1} the plan as it stands and {2} the fastest split.</source>
        <translation>経験則の計画: {1} 現在の計画、{2} 最速の分割。</translation>
    </message>
    <message>
        <source>The rule: model parallelism until the model fits in memory, then data parallelism (Narayanan et al. 2021).</source>
        <translation>経験則: モデルがメモリに収まるまでモデル並列、その後はデータ並列(Narayanan et al. 2021)。</translation>
    </message>
    <message>
        <source>The run cannot be kept.</source>
        <translation>実行を保存できません。</translation>
    </message>
    <message>
        <source>The runs of %1 are marked as yours</source>
        <translation>%1 の実行にはあなたのものという印が付きます</translation>
    </message>
    <message>
        <source>The same hours</source>
        <translation>同じ時間</translation>
    </message>
    <message>
        <source>The same layers as a table and a pattern</source>
        <translation>同じ層を表とパターンにします</translation>
    </message>
    <message>
        <source>The same layout wins on all {1} machines that were tried.</source>
        <translation>試した {1} 通りの計算機すべてで同じ構成が勝ちます。</translation>
    </message>
    <message>
        <source>The same layout wins on {1} of {2} machines that were tried.</source>
        <translation>試した {2} 通りの計算機のうち {1} 通りで同じ構成が勝ちます。</translation>
    </message>
    <message>
        <source>The same of one package, which shares its network links</source>
        <translation>ネットワークリンクを共有する 1 パッケージでの同じ値</translation>
    </message>
    <message>
        <source>The same run on other machines</source>
        <translation>他の計算機での同じ実行</translation>
    </message>
    <message>
        <source>The scaling runs are no longer beside this plan; their file is as it was</source>
        <translation>スケーリングの実測をこの計画から外しました。ファイルはそのままです</translation>
    </message>
    <message numerus="yes">
        <source>The script executes %n line(s) that come from this plan and from no installed preset.</source>
        <translation><numerusform>スクリプトは、この計画に由来し、導入済みプリセットにない %n 行を実行します。</numerusform></translation>
    </message>
    <message>
        <source>The script executes lines that come from this plan and from no installed preset. Read them before you go on.</source>
        <translation>スクリプトは、この計画に由来し、導入済みプリセットにない行を実行します。続ける前にお読みください。</translation>
    </message>
    <message>
        <source>The scripts, one job that runs them in turn, and the predictions, into a folder</source>
        <translation>スクリプト、それらを順に実行する 1 つのジョブ、予測をフォルダーに置きます</translation>
    </message>
    <message>
        <source>The search found no layout that fits; this one stays</source>
        <translation>収まる並列構成が見つからなかったため、現在の構成を保ちます</translation>
    </message>
    <message>
        <source>The search was ended; another plan may be faster.</source>
        <translation>探索は途中で終わりました。もっと速い計画があるかもしれません。</translation>
    </message>
    <message>
        <source>The selected run</source>
        <translation>選択した実行</translation>
    </message>
    <message>
        <source>The share is solved for</source>
        <translation>割合は自動で求める</translation>
    </message>
    <message>
        <source>The sheet as a table in Markdown; Ctrl+C</source>
        <translation>表を Markdown で；Ctrl+C</translation>
    </message>
    <message>
        <source>The smallest number of nodes with a layout that fits in memory, and the best of these</source>
        <translation>メモリに収まる構成がある最少のノード数と、その最良の構成</translation>
    </message>
    <message>
        <source>The smallest tensor x pipeline split inside a node that fits in memory</source>
        <translation>メモリに収まり、ノード内に入る最小のテンソル × パイプライン分割</translation>
    </message>
    <message>
        <source>The states come to the devices for the update, which the devices do; off: the CPUs update. Hugging Face: optim paged_adamw_8bit</source>
        <translation>状態は更新のためにデバイスへ来て、デバイスが更新します。オフ: CPU が更新します。Hugging Face: optim paged_adamw_8bit</translation>
    </message>
    <message>
        <source>The table as CSV and the charts as PDF, SVG, PNG and CSV, into a folder</source>
        <translation>表を CSV、図を PDF、SVG、PNG、CSV としてフォルダに書き出します</translation>
    </message>
    <message>
        <source>The tier holds it, negative</source>
        <translation>階層に収まる上限（負）</translation>
    </message>
    <message>
        <source>The times are those of a progress bar, which are running means.</source>
        <translation>時間は進捗バーのもので、移動平均です。</translation>
    </message>
    <message>
        <source>The times assume that it fits.</source>
        <translation>時間は収まると仮定した値です。</translation>
    </message>
    <message>
        <source>The update copies 16-bit moments to fp32, all of the experts or of the others at once: a peak of its own (Transformer Engine before 2.13)</source>
        <translation>更新が 16 ビットのモーメントを fp32 に写します。エキスパートのもの、またはそれ以外のものをすべて一度に写すので、独自のピークになります（2.13 より前の Transformer Engine）</translation>
    </message>
    <message>
        <source>The update holds more moments of every owned parameter (foreach optimizers of PyTorch); off: fused</source>
        <translation>更新の間、担当するすべてのパラメータのモーメントを余分に保持します（PyTorch の foreach オプティマイザー）。オフ: 融合</translation>
    </message>
    <message>
        <source>The vocabulary is padded to a multiple of this times t. Megatron: --make-vocab-size-divisible-by</source>
        <translation>語彙をこの値 × t の倍数に揃えます。Megatron: --make-vocab-size-divisible-by</translation>
    </message>
    <message>
        <source>The vocabulary is the padded one, {1}.</source>
        <translation>語彙数はパディング後の {1} です。</translation>
    </message>
    <message>
        <source>The way from the number to the term</source>
        <translation>数値から項までの道筋</translation>
    </message>
    <message>
        <source>The whole report</source>
        <translation>報告書全体</translation>
    </message>
    <message>
        <source>The whole verdict and what else there is to know of the plan</source>
        <translation>判定の全文と、この計画について知っておくべきその他の事項</translation>
    </message>
    <message>
        <source>The winner there</source>
        <translation>勝者のそこでのステップ</translation>
    </message>
    <message>
        <source>The workspace could not be saved.</source>
        <translation>ワークスペースを保存できませんでした。</translation>
    </message>
    <message>
        <source>Their median</source>
        <translation>その中央値</translation>
    </message>
    <message>
        <source>Their middle</source>
        <translation>その中央値</translation>
    </message>
    <message>
        <source>There are so many that one of {1} was kept.</source>
        <translation>数が多いため、{1} 個に 1 個を残しました。</translation>
    </message>
    <message>
        <source>There for each device</source>
        <translation>各デバイスが使える量</translation>
    </message>
    <message>
        <source>There is no chart on this page</source>
        <translation>このページに図はありません</translation>
    </message>
    <message>
        <source>There is no script for Grid Engine; slurm, lsf, pjm, pbs and flux are known.</source>
        <translation>Grid Engine 用のスクリプトはありません。扱えるのは slurm、lsf、pjm、pbs、flux です。</translation>
    </message>
    <message>
        <source>There is not enough memory for it.</source>
        <translation>メモリが足りません。</translation>
    </message>
    <message>
        <source>Thermal drift</source>
        <translation>温度による変動</translation>
    </message>
    <message>
        <source>These steps were opened for the layout %1.</source>
        <translation>このステップは並列構成 %1 のために開かれました。</translation>
    </message>
    <message>
        <source>They do not show: %1</source>
        <translation>見えないもの: %1</translation>
    </message>
    <message>
        <source>They were written for the plan %1; what they say here is of the plan in front.</source>
        <translation>計画 %1 のために書き出したものです。ここに示すのは手前の計画についてです。</translation>
    </message>
    <message>
        <source>This device has no {1} matrix products</source>
        <translation>このデバイスには {1} の行列積がありません</translation>
    </message>
    <message>
        <source>This is a number above zero, such as %1.</source>
        <translation>%1 のような 0 より大きい数で指定する。</translation>
    </message>
    <message>
        <source>This is no list of stages: %1.</source>
        <translation>ステージのリストではありません: %1。</translation>
    </message>
    <message>
        <source>This is no pattern: {1}.</source>
        <translation>パターンとして読めません: {1}。</translation>
    </message>
    <message>
        <source>This is the only calibration of this plan on this machine.</source>
        <translation>この計画をこの計算機で較正したのは今回だけです。</translation>
    </message>
    <message>
        <source>This model</source>
        <translation>このモデル</translation>
    </message>
    <message>
        <source>This number was fitted to whole steps of training layouts: see them in the proof.</source>
        <translation>この数値は学習構成のステップ全体に合わせて求めました。検証表をご覧ください。</translation>
    </message>
    <message>
        <source>This operation over an all-reduce</source>
        <translation>all-reduce に対するこの操作の比</translation>
    </message>
    <message>
        <source>This page is in English.</source>
        <translation>このページは英語です。</translation>
    </message>
    <message>
        <source>This plan</source>
        <translation>この計画</translation>
    </message>
    <message>
        <source>This plan was calibrated {1} times on this machine.</source>
        <translation>この計画はこの計算機で {1} 回較正されました。</translation>
    </message>
    <message>
        <source>This plan: %1</source>
        <translation>この計画：%1</translation>
    </message>
    <message>
        <source>This writer knows the Trainer's models of Llama's layers (RMS norm, SwiGLU, rotary positions, no biases) and of GPT-2's (layer norm, GELU, learned positions, biases, tied tables). This one is neither.</source>
        <translation>ここで書けるのは、Llama の層 (RMS ノルム、SwiGLU、回転位置埋め込み、バイアスなし) と GPT-2 の層 (層正規化、GELU、学習位置埋め込み、バイアス、共有テーブル) を持つ Trainer のモデルです。この計画のモデルはどちらでもありません。</translation>
    </message>
    <message>
        <source>Those of this pa&amp;ge</source>
        <translation>このページの図(&amp;G)</translation>
    </message>
    <message>
        <source>Threads of &amp;searches:</source>
        <translation>探索のスレッド数(&amp;S):</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>スループット</translation>
    </message>
    <message>
        <source>TiB</source>
        <translation>TiB</translation>
    </message>
    <message>
        <source>Tick at least one thing that may change.</source>
        <translation>変えてよいものを 1 つ以上選んでください。</translation>
    </message>
    <message>
        <source>Tied embedding</source>
        <translation>共有埋め込み</translation>
    </message>
    <message>
        <source>Tied embeddings</source>
        <translation>埋め込みの共有</translation>
    </message>
    <message>
        <source>Tier of activations between forward and backward pass. DeepSpeed: cpu_checkpointing with full recompute</source>
        <translation>順伝播と逆伝播の間のアクティベーションの階層。DeepSpeed: cpu_checkpointing と全体の再計算</translation>
    </message>
    <message>
        <source>Tier of the 16-bit weights, fetched layer by layer (ZeRO-Infinity). DeepSpeed: offload_param.device</source>
        <translation>層ごとに取り寄せる 16 ビット重みの階層 (ZeRO-Infinity)。DeepSpeed: offload_param.device</translation>
    </message>
    <message>
        <source>Tier of the gradients, sent down as the backward pass produces them. DeepSpeed: follows offload_optimizer</source>
        <translation>逆伝播が作る勾配を送る階層。DeepSpeed: offload_optimizer に従います</translation>
    </message>
    <message>
        <source>Tier of the optimizer state; below the devices the CPUs do the update. DeepSpeed: offload_optimizer.device</source>
        <translation>オプティマイザ状態の階層。デバイスより下では CPU が更新します。DeepSpeed: offload_optimizer.device</translation>
    </message>
    <message>
        <source>Tiles, curves and memory follow while you drag. Every other input is below; Ctrl+F finds one by name.</source>
        <translation>動かしている間、タイル、曲線、メモリが追従します。ほかの入力はその下にあり、Ctrl+F で名前から探せます。</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>Time and memory</source>
        <translation>時間とメモリ</translation>
    </message>
    <message>
        <source>Time between failures</source>
        <translation>障害の間隔</translation>
    </message>
    <message>
        <source>Time in the step (ms)</source>
        <translation>ステップ内の時間 (ms)</translation>
    </message>
    <message>
        <source>Time in the step (s)</source>
        <translation>ステップ内の時間 (s)</translation>
    </message>
    <message>
        <source>Time lost</source>
        <translation>失われる時間</translation>
    </message>
    <message>
        <source>Time lost against the checkpoint interval</source>
        <translation>チェックポイント間隔と失われる時間</translation>
    </message>
    <message>
        <source>Time lost in all</source>
        <translation>失われる時間の合計</translation>
    </message>
    <message>
        <source>Time lost to failures and checkpoints</source>
        <translation>障害とチェックポイントで失う時間</translation>
    </message>
    <message>
        <source>Time of a step</source>
        <translation>ステップ時間</translation>
    </message>
    <message>
        <source>Time of a step against the current plan's</source>
        <translation>現在の計画に対するステップ時間</translation>
    </message>
    <message>
        <source>Time of an empty kernel</source>
        <translation>空のカーネルの時間</translation>
    </message>
    <message>
        <source>Time of one checkpoint</source>
        <translation>チェックポイント 1 回の時間</translation>
    </message>
    <message>
        <source>Time of one optimizer step</source>
        <translation>1 オプティマイザステップの時間</translation>
    </message>
    <message>
        <source>Time of one step</source>
        <translation>1 ステップの時間</translation>
    </message>
    <message>
        <source>Time of one step by kind of layer</source>
        <translation>層の種類ごとの 1 ステップの時間</translation>
    </message>
    <message>
        <source>Time on %1 devices</source>
        <translation>デバイス %1 個での所要時間</translation>
    </message>
    <message>
        <source>Time to issue a kernel over that of the hosts on which stacks were measured</source>
        <translation>カーネルの発行に要する時間の、ソフトウェアを測定したホストに対する比</translation>
    </message>
    <message>
        <source>Time to train</source>
        <translation>学習時間</translation>
    </message>
    <message>
        <source>Time to train %1 (%2 days), %3, without queueing; %4 steps of %5</source>
        <translation>学習時間 %1（%2 日）、%3、待ち行列を除く。%4 ステップ × %5</translation>
    </message>
    <message>
        <source>Time to train by part</source>
        <translation>学習時間の内訳</translation>
    </message>
    <message>
        <source>Time to train over the nodes</source>
        <translation>ノード数に対する学習時間</translation>
    </message>
    <message>
        <source>Time to train with failures</source>
        <translation>障害を含む学習時間</translation>
    </message>
    <message>
        <source>Time to train with failures and job ends</source>
        <translation>障害とジョブ終了を含む学習時間</translation>
    </message>
    <message>
        <source>Time to train, all included</source>
        <translation>学習時間（すべて込み）</translation>
    </message>
    <message>
        <source>Time to train, failures included</source>
        <translation>学習時間（障害込み）</translation>
    </message>
    <message>
        <source>Time, memory, the parts of a step and energy at a glance.</source>
        <translation>時間、メモリ、ステップの内訳、エネルギーを一目で示します。</translation>
    </message>
    <message>
        <source>Time, node-hours and energy</source>
        <translation>時間、ノード時間、電力量</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>タイムライン</translation>
    </message>
    <message>
        <source>Times the prediction</source>
        <translation>予測に対する倍率</translation>
    </message>
    <message>
        <source>Tiny: 2 layers of 128</source>
        <translation>極小: 2 層、幅 128</translation>
    </message>
    <message>
        <source>To</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>To and from neighbours, one pass</source>
        <translation>隣との送受信、1 パス</translation>
    </message>
    <message>
        <source>To issue one layer's forward pass; twice this backward</source>
        <translation>1 層の順伝播を発行する時間。逆伝播は 2 倍</translation>
    </message>
    <message>
        <source>To&amp;kens</source>
        <translation>トークン数(&amp;K)</translation>
    </message>
    <message>
        <source>Token dispatch</source>
        <translation>トークンの dispatch</translation>
    </message>
    <message>
        <source>Token types as published, V, before padding. Megatron: --vocab-size</source>
        <translation>公表されたトークン種類数 V（パディング前）。Megatron: --vocab-size</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>トークン数</translation>
    </message>
    <message>
        <source>Tokens a query sees in a layer with a window; 0 without windows. Hugging Face: sliding_window</source>
        <translation>窓のある層でクエリが見るトークン数。窓がなければ 0。Hugging Face: sliding_window</translation>
    </message>
    <message>
        <source>Tokens an expert takes over the mean, those beyond it are dropped; 0 takes all that come (dropless). Megatron: --moe-expert-capacity-factor</source>
        <translation>エキスパートが受け取るトークン数の平均に対する比。超えた分は捨てます。0 は届くすべてを受け取ります（dropless）。Megatron: --moe-expert-capacity-factor</translation>
    </message>
    <message>
        <source>Tokens are a number such as 300B or 1.4T.</source>
        <translation>トークン数は 300B や 1.4T のような数で指定する。</translation>
    </message>
    <message>
        <source>Tokens before and after the exchange, narrow</source>
        <translation>交換前後の幅の狭いトークン</translation>
    </message>
    <message>
        <source>Tokens beyond the next</source>
        <translation>次より先のトークン</translation>
    </message>
    <message>
        <source>Tokens beyond the next one that modules behind the last layer predict, with a loss each. Megatron: --mtp-num-layers</source>
        <translation>最後の層の後のモジュールが、それぞれの損失とともに予測する、次の 1 トークンより先のトークン。Megatron: --mtp-num-layers</translation>
    </message>
    <message>
        <source>Tokens in a batch</source>
        <translation>バッチのトークン数</translation>
    </message>
    <message>
        <source>Tokens in a second</source>
        <translation>1 秒あたりのトークン数</translation>
    </message>
    <message>
        <source>Tokens o&amp;f one</source>
        <translation>1 つのトークン(&amp;F)</translation>
    </message>
    <message>
        <source>Tokens of a device in a second</source>
        <translation>1 デバイスの 1 秒あたりのトークン数</translation>
    </message>
    <message>
        <source>Tokens of a document</source>
        <translation>文書のトークン</translation>
    </message>
    <message>
        <source>Tokens of a micro-batch</source>
        <translation>マイクロバッチのトークン数</translation>
    </message>
    <message>
        <source>Tokens of an example are a number such as 500.</source>
        <translation>例のトークンは 500 のような数です。</translation>
    </message>
    <message>
        <source>Tokens of one training sequence, s. Megatron: --seq-length</source>
        <translation>学習する 1 系列のトークン数 s。Megatron: --seq-length</translation>
    </message>
    <message>
        <source>Tokens of other batches are those that reach the same loss, with a learning rate that suits each (McCandlish et al. 2018: tokens grow as 1 + batch / critical batch).</source>
        <translation>他のバッチのトークン数は、それぞれに合った学習率で同じ損失に達するものです(McCandlish et al. 2018: トークン数は 1 + バッチ / 臨界バッチ に比例)。</translation>
    </message>
    <message>
        <source>Tokens of the busiest rank over the mean: everyone waits for it. 1 as benchmarks force it; 1.1 to 1.3 as trained, an estimate: state your own. A capacity that is padded takes its place</source>
        <translation>最も忙しいランクのトークン数の平均に対する比で、全員がそれを待ちます。ベンチマークが強制する値は 1、学習時は 1.1 から 1.3 という見積もりです。自身の値を入力してください。埋める容量があればそちらを使います</translation>
    </message>
    <message>
        <source>Tokens of the whole run, T = steps x B x s; what pads rows is not counted. Megatron: --train-samples x --seq-length</source>
        <translation>実行全体のトークン数、T = ステップ数 x B x s。行を埋めるものは数えません。Megatron: --train-samples x --seq-length</translation>
    </message>
    <message>
        <source>Tokens of this rank's experts</source>
        <translation>このランクのエキスパートのトークン</translation>
    </message>
    <message>
        <source>Tokens per parameter</source>
        <translation>パラメータあたりトークン数</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>毎秒トークン数</translation>
    </message>
    <message>
        <source>Tokens per second, all devices</source>
        <translation>毎秒トークン数（全デバイス）</translation>
    </message>
    <message>
        <source>Tokens per step</source>
        <translation>1 ステップのトークン数</translation>
    </message>
    <message>
        <source>Tokens see those before them in their own chunk of that length (Llama 4), not the last so many</source>
        <translation>トークンは、直前のその数のトークンではなく、その長さの自分のチャンクの中で前にあるトークンを見ます（Llama 4）</translation>
    </message>
    <message>
        <source>Tokens that attention sees; 0: all</source>
        <translation>アテンションが見るトークン数。0: すべて</translation>
    </message>
    <message>
        <source>Tokens that the short convolution sees; 0: none</source>
        <translation>短い畳み込みが見るトークン数。0: なし</translation>
    </message>
    <message>
        <source>Tokens that were dispatched to the experts. Megatron: --offload-modules expert_fc1</source>
        <translation>エキスパートに送られたトークン。Megatron: --offload-modules expert_fc1</translation>
    </message>
    <message>
        <source>Tokens to all slices of an expert</source>
        <translation>エキスパートの全分割へのトークン</translation>
    </message>
    <message>
        <source>Tokens to experts over an all-reduce</source>
        <translation>all-reduce に対するエキスパート転送の比</translation>
    </message>
    <message>
        <source>Tokens whose activations were not sent</source>
        <translation>アクティベーションを送らなかったトークン</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>トークン/秒</translation>
    </message>
    <message>
        <source>Told by the runs</source>
        <translation>実行が決めた割合</translation>
    </message>
    <message>
        <source>Too few times of a library's attention can be used, so the device keeps the preset's: kernels that are not fused and a device that waited for Python do not count</source>
        <translation>ライブラリのアテンションのうち使える時間が少なすぎるため、デバイスの数値はプリセットのままです。融合されていないカーネルの時間と、デバイスが Python を待った時間は数えません</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Tornado</source>
        <translation>感度</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合計</translation>
    </message>
    <message>
        <source>Total: %1</source>
        <translation>合計: %1</translation>
    </message>
    <message>
        <source>Touched per logit, forward and backward</source>
        <translation>順伝播と逆伝播で触れるロジットあたりのバイト数</translation>
    </message>
    <message>
        <source>Touched per parameter and micro-batch to add 16-bit gradients up</source>
        <translation>16 ビット勾配を加算するとき、パラメータとマイクロバッチあたり触れる量</translation>
    </message>
    <message>
        <source>Touched per parameter and micro-batch to add fp32 gradients up; 0 where the GEMM accumulates itself</source>
        <translation>fp32 勾配を加算するとき、パラメータとマイクロバッチあたり触れる量。GEMM 自体が蓄積するなら 0</translation>
    </message>
    <message>
        <source>Touched per parameter in the optimizer step</source>
        <translation>オプティマイザステップでパラメータあたり触れる量</translation>
    </message>
    <message>
        <source>Trace for Perfetto (*.json);;Table (*.csv);;Picture (*.svg *.png *.pdf)</source>
        <translation>Perfetto 用トレース (*.json);;表 (*.csv);;画像 (*.svg *.png *.pdf)</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>通信量</translation>
    </message>
    <message>
        <source>Train for the steps given; Stop keeps what was measured up to then</source>
        <translation>指定のステップ数だけ学習します。「停止」でそれまでの測定を残します</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>学習する部分</translation>
    </message>
    <message>
        <source>Training FLOP</source>
        <translation>学習の FLOP</translation>
    </message>
    <message>
        <source>Training alone</source>
        <translation>学習のみ</translation>
    </message>
    <message>
        <source>Training between two checkpoints; 0 takes Young's optimum. Megatron: --save-interval x step time</source>
        <translation>2 つのチェックポイントの間の学習時間。0 はヤングの最適値。Megatron: --save-interval x ステップ時間</translation>
    </message>
    <message>
        <source>Training lost and repeated</source>
        <translation>失われ、やり直す学習</translation>
    </message>
    <message>
        <source>Training t&amp;okens</source>
        <translation>学習トークン数(&amp;O)</translation>
    </message>
    <message>
        <source>Training tokens</source>
        <translation>学習トークン数</translation>
    </message>
    <message>
        <source>Trains this model on this computer for some seconds and measures where the time goes.</source>
        <translation>このモデルをこの計算機で数秒間学習し、どこに時間がかかるかを測ります。</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>転送</translation>
    </message>
    <message>
        <source>Transfer beyond the block's attention</source>
        <translation>ブロックのアテンションを超える転送</translation>
    </message>
    <message>
        <source>Transfer over {1}</source>
        <translation>{1} 経由の転送</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>転送</translation>
    </message>
    <message>
        <source>Transfers in fp8, two stages</source>
        <translation>転送を fp8 で、2 ステージ</translation>
    </message>
    <message>
        <source>Transformer layers, L. Megatron: --num-layers</source>
        <translation>Transformer の層数 L。Megatron: --num-layers</translation>
    </message>
    <message>
        <source>Transient memory is placed offline instead of by a caching allocator, so nothing is lost to fragmentation (MEMO)</source>
        <translation>一時メモリをキャッシュアロケータでなく事前に配置するため、断片化で失われません (MEMO)</translation>
    </message>
    <message>
        <source>Trial run</source>
        <translation>試行</translation>
    </message>
    <message>
        <source>Twice the time between failures</source>
        <translation>障害の間隔の 2 倍</translation>
    </message>
    <message>
        <source>Two</source>
        <translation>2</translation>
    </message>
    <message>
        <source>Two columns, 170 mm</source>
        <translation>2 段、170 mm</translation>
    </message>
    <message>
        <source>Two data ranks</source>
        <translation>2 データランク</translation>
    </message>
    <message>
        <source>Two data ranks, ZeRO-3</source>
        <translation>2 データランク、ZeRO-3</translation>
    </message>
    <message>
        <source>Two data ranks, full recompute</source>
        <translation>2 データランク、全体を再計算</translation>
    </message>
    <message>
        <source>Two data x two tensor ranks</source>
        <translation>2 データ × 2 テンソルランク</translation>
    </message>
    <message>
        <source>Two in most families</source>
        <translation>多くの系列で 2</translation>
    </message>
    <message>
        <source>Two in three lie within %1 already: more nodes or a longer job may tell more.</source>
        <translation>すでに 3 分の 2 が %1 以内です。ノードを増やすか、ジョブを長くすれば、さらに分かることがあります。</translation>
    </message>
    <message>
        <source>Two in three lie within %1 now.</source>
        <translation>現在は 3 分の 2 が %1 以内です。</translation>
    </message>
    <message>
        <source>Two plans in three</source>
        <translation>計画の 3 分の 2</translation>
    </message>
    <message>
        <source>Two show the network between nodes; more show little more</source>
        <translation>2 ノードでノード間ネットワークが分かります。増やしても得られる情報はわずかです</translation>
    </message>
    <message>
        <source>Two stages, four micro-batches</source>
        <translation>2 ステージ、4 マイクロバッチ</translation>
    </message>
    <message>
        <source>Two tensor ranks</source>
        <translation>2 テンソルランク</translation>
    </message>
    <message>
        <source>Two tensor ranks, sequence parallel</source>
        <translation>2 テンソルランク、シーケンス並列</translation>
    </message>
    <message>
        <source>Two thirds of comparable published runs lie within {1} % of the prediction.</source>
        <translation>似た公表事例の 3 分の 2 は予測の {1} % 以内です。</translation>
    </message>
    <message>
        <source>Two thirds of comparable runs lie within {1} % of the prediction.</source>
        <translation>似た実行の 3 分の 2 は予測の {1} % 以内です。</translation>
    </message>
    <message>
        <source>U&amp;npin baseline</source>
        <translation>基準を解除(&amp;N)</translation>
    </message>
    <message>
        <source>USP (2405.07719)</source>
        <translation>USP（2405.07719）</translation>
    </message>
    <message>
        <source>Unavailable: no energy counter can be read on this machine, so joules stay estimates.</source>
        <translation>使えません: この計算機では電力量カウンタを読めないため、ジュールは推定のままです。</translation>
    </message>
    <message>
        <source>Unavailable: no energy counter can be read on this machine, so joules stay modelled.</source>
        <translation>使えません: この計算機では電力量カウンタを読めないため、ジュールはモデル値のままです。</translation>
    </message>
    <message>
        <source>Unavailable: nothing is said of energy counters, so joules stay modelled.</source>
        <translation>使えません: 電力量カウンタについての記録がないため、ジュールはモデル値のままです。</translation>
    </message>
    <message>
        <source>Unavailable: there are counters, but no layout has a number, so joules stay modelled.</source>
        <translation>使えません: カウンタはありますが、どの構成にも数値がないため、ジュールはモデル値のままです。</translation>
    </message>
    <message>
        <source>Unavailable: there are counters, but no layout has a number, so joules stay modelled. "{1}": {2}.</source>
        <translation>使えません: カウンタはありますが、どの構成にも数値がないため、ジュールはモデル値のままです。「{1}」: {2}。</translation>
    </message>
    <message>
        <source>Uncalibrated: the prediction takes rates from "{1}", not from measurements of this computer.</source>
        <translation>未較正: 予測はこの計算機の測定でなく「{1}」の値を使います。</translation>
    </message>
    <message>
        <source>Under each number stands the difference from the first plan: ▲ better, ▼ worse.</source>
        <translation>各数値の下に最初の計画との差を示します：▲ 良い、▼ 悪い。</translation>
    </message>
    <message>
        <source>Uneven chunks</source>
        <translation>不均等なチャンク</translation>
    </message>
    <message>
        <source>Unfolded</source>
        <translation>開いています</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>単位</translation>
    </message>
    <message>
        <source>United Kingdom</source>
        <translation>イギリス</translation>
    </message>
    <message>
        <source>United States</source>
        <translation>アメリカ合衆国</translation>
    </message>
    <message>
        <source>Units that are left</source>
        <translation>残るユニット</translation>
    </message>
    <message>
        <source>Units the exchange takes</source>
        <translation>交換が使うユニット</translation>
    </message>
    <message>
        <source>Unknown: critical batches were published for Adam, and this plan has another optimizer.</source>
        <translation>不明: 臨界バッチは Adam について公表されており、この計画は別のオプティマイザーを使います。</translation>
    </message>
    <message>
        <source>Unknown: critical batches were published for dense models, and this is a mixture of experts.</source>
        <translation>不明: 臨界バッチは密なモデルについて公表されており、これは混合エキスパートです。</translation>
    </message>
    <message>
        <source>Unknown: critical batches were published for pre-training, and this plan tunes a model.</source>
        <translation>不明です。臨界バッチは事前学習について発表されており、この計画はモデルを調整します。</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>保存していない変更</translation>
    </message>
    <message>
        <source>Unsaved changes cannot be kept for a crash: %1</source>
        <translation>保存していない変更を異常終了に備えて残せません: %1</translation>
    </message>
    <message>
        <source>Unsaved changes of %1 are damaged and cannot be recovered: %2. The file is kept as %3.</source>
        <translation>%1 の保存していない変更は壊れていて復元できません: %2。ファイルは %3 として残します。</translation>
    </message>
    <message>
        <source>Unsplit residual stream</source>
        <translation>分割しない残差ストリーム</translation>
    </message>
    <message>
        <source>Unsplit stream bytes</source>
        <translation>分割しないストリームのバイト数</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>無題</translation>
    </message>
    <message>
        <source>Unused devices</source>
        <translation>未使用のデバイス</translation>
    </message>
    <message>
        <source>Unused devices of these nodes</source>
        <translation>このノードの未使用デバイス</translation>
    </message>
    <message>
        <source>Up to large messages' size</source>
        <translation>大きなメッセージの大きさまで</translation>
    </message>
    <message>
        <source>Up to the whole machine</source>
        <translation>計算機全体まで</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>Update copies</source>
        <translation>更新時の複製</translation>
    </message>
    <message>
        <source>Update on the CPUs</source>
        <translation>CPU での更新</translation>
    </message>
    <message>
        <source>Updated every</source>
        <translation>更新間隔</translation>
    </message>
    <message>
        <source>Updates all at once</source>
        <translation>一括更新</translation>
    </message>
    <message>
        <source>Updates in the backward pass</source>
        <translation>逆伝播の中での更新</translation>
    </message>
    <message>
        <source>Use in this plan</source>
        <translation>この計画で使う</translation>
    </message>
    <message>
        <source>Use this layout</source>
        <translation>この構成を使う</translation>
    </message>
    <message>
        <source>Used last</source>
        <translation>最近使ったもの</translation>
    </message>
    <message>
        <source>V h, twice when untied, and the rest</source>
        <translation>V h（共有しなければ 2 倍）とその他</translation>
    </message>
    <message>
        <source>Validate runs of your own</source>
        <translation>自分の実行を検証</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>検証</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>値</translation>
    </message>
    <message>
        <source>Value head dimension</source>
        <translation>バリューのヘッド次元</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>バリュー</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Verdict on failures</source>
        <translation>障害についての判定</translation>
    </message>
    <message>
        <source>Virtual stages</source>
        <translation>仮想ステージ</translation>
    </message>
    <message>
        <source>Visits of one probe lie {1} apart where {2} was planned for, so the range is wider. As narrow as planned: {3} visits, or a machine without other load.</source>
        <translation>同じ試験実行の各回の差は {1} で、想定の {2} を超えるため、範囲が広がりました。想定どおりの範囲にするには {3} 回の実行、または他の負荷のない計算機が必要です。</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>語彙数</translation>
    </message>
    <message>
        <source>Vocabulary padding</source>
        <translation>語彙のパディング</translation>
    </message>
    <message>
        <source>Vocabulary share</source>
        <translation>語彙の分担</translation>
    </message>
    <message>
        <source>Waited for in a step</source>
        <translation>1 ステップの待ち</translation>
    </message>
    <message>
        <source>Waiting for the rank with the longest documents</source>
        <translation>最も長い文書を持つランクを待つ時間</translation>
    </message>
    <message>
        <source>Waiting in the queue</source>
        <translation>キューでの待ち時間</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>ウォームアップ</translation>
    </message>
    <message>
        <source>Warn of lossy codecs that shrink weights or activations by more; 2 kept the loss of GPT-NeoX-20B</source>
        <translation>重みやアクティベーションをこれ以上縮める非可逆コーデックを警告します。2 では GPT-NeoX-20B の損失が保たれました</translation>
    </message>
    <message>
        <source>Warning, rank %1: %2</source>
        <translation>警告、ランク %1: %2</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>警告: %1</translation>
    </message>
    <message>
        <source>Warnings, errors, and other output that is no measurement.</source>
        <translation>警告、エラー、および測定値でない出力です。</translation>
    </message>
    <message>
        <source>Was</source>
        <translation>以前</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>重み係数</translation>
    </message>
    <message>
        <source>Weight gradient</source>
        <translation>重み勾配</translation>
    </message>
    <message>
        <source>Weight gradients against other products</source>
        <translation>他の行列積に対する重み勾配の比</translation>
    </message>
    <message>
        <source>Weight matrices</source>
        <translation>重み行列</translation>
    </message>
    <message>
        <source>Weight, gradient and Adam state of one parameter: 16 with 16-bit gradients, 18 with fp32 accumulation (Megatron), 20 with 16-bit gradients and an fp32 copy (ZeRO-Infinity); 12 and 14 like 16 and 18 with 16-bit moments; without fp32 weights 8 all in 16 bits, 10 with fp32 accumulation, 6 with 8-bit moments; free: as the formats of the states say. fp32 is 16</source>
        <translation>1 パラメータの重み、勾配、Adam の状態: 16 は 16 ビットの勾配、18 は fp32 での加算 (Megatron)、20 は 16 ビットの勾配と fp32 の写し (ZeRO-Infinity)。12 と 14 は 16 と 18 のモーメントを 16 ビットにしたもの。fp32 の重みなしでは、8 はすべて 16 ビット、10 は fp32 での加算、6 は 8 ビットのモーメント。free は状態の形式のとおり。fp32 は 16</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>重み</translation>
    </message>
    <message>
        <source>Weights are converted to fp8 for every micro-batch, as in PyTorch; off: once a step, as in Transformer Engine</source>
        <translation>重みをマイクロバッチごとに fp8 に変換します (PyTorch)。オフ: ステップごとに 1 回 (Transformer Engine)</translation>
    </message>
    <message>
        <source>Weights come back</source>
        <translation>重みが戻る</translation>
    </message>
    <message>
        <source>Weights handed out</source>
        <translation>重みの配布</translation>
    </message>
    <message>
        <source>Weights handed out per layer</source>
        <translation>層ごとの重みの配布</translation>
    </message>
    <message>
        <source>Weights kept in</source>
        <translation>重みの形式</translation>
    </message>
    <message>
        <source>Weights kept on</source>
        <translation>重みの置き場所</translation>
    </message>
    <message>
        <source>Weights of products are kept and gathered in the recipe's format, without a copy in 16 bits; off: they are converted once a step and the copies stay for its micro-batches. Megatron: --fp8-param-gather, --fp4-param-gather</source>
        <translation>行列積の重みは、16 ビットの写しなしに、レシピの形式で保持し、集めます。オフ: ステップごとに 1 回変換し、写しはそのマイクロバッチの間保持します。Megatron: --fp8-param-gather、--fp4-param-gather</translation>
    </message>
    <message>
        <source>Weights that are not converted</source>
        <translation>変換しない重み</translation>
    </message>
    <message>
        <source>What</source>
        <translation>項目</translation>
    </message>
    <message>
        <source>What 16-bit products keep, over a long run, of the rate of short bursts</source>
        <translation>16 ビット行列積が長時間の実行で保つ、短時間の速度に対する割合</translation>
    </message>
    <message>
        <source>What ZeRO stages do to memory</source>
        <translation>ZeRO ステージとメモリ</translation>
    </message>
    <message>
        <source>What a &amp;budget would train...</source>
        <translation>予算で学習できるもの(&amp;B)...</translation>
    </message>
    <message>
        <source>What a GPU-hour is here</source>
        <translation>ここでの GPU 時間の意味</translation>
    </message>
    <message>
        <source>What a budget would train</source>
        <translation>予算で学習できるもの</translation>
    </message>
    <message>
        <source>What a calibration would do</source>
        <translation>較正で行うこと</translation>
    </message>
    <message>
        <source>What a launcher counts. Megatron: --nproc_per_node</source>
        <translation>ランチャーが数える単位。Megatron: --nproc_per_node</translation>
    </message>
    <message>
        <source>What a measured attention kernel as fast as large products keeps, over a long run, of the rate of short bursts; slower kernels draw less power and lose less in proportion</source>
        <translation>大きな行列積と同程度に速い実測アテンションカーネルが長時間の実行で保つ割合。遅いカーネルは電力が少なく、低下も比例して小さくなります</translation>
    </message>
    <message>
        <source>What a run on this cluster alone reached per device, r, to split layers by; 0 where not measured</source>
        <translation>このクラスタだけでの実行が達したデバイスあたりの速度 r。層の分割に使います。未測定なら 0</translation>
    </message>
    <message>
        <source>What a training framework was started with, and what it printed; such files can also be dropped on the window together</source>
        <translation>学習フレームワークを起動したスクリプトと、それが出力したログです。これらのファイルはまとめてウィンドウにドロップすることもできます</translation>
    </message>
    <message>
        <source>What an hour costs you; Enter takes it. Empty: what the machine's preset says</source>
        <translation>1 時間の料金。Enter で確定します。空欄なら計算機のプリセットの値です</translation>
    </message>
    <message>
        <source>What an hour is of</source>
        <translation>1 時間の意味</translation>
    </message>
    <message>
        <source>What became of each setting</source>
        <translation>各設定の扱い</translation>
    </message>
    <message>
        <source>What became of it</source>
        <translation>扱い</translation>
    </message>
    <message>
        <source>What binds: %1.</source>
        <translation>効いている制限: %1。</translation>
    </message>
    <message>
        <source>What choosing by prediction costs</source>
        <translation>予測で選ぶことの代償</translation>
    </message>
    <message>
        <source>What computes fused attention: kernels differ by generation more than devices do. Devices without numbers of it take their own fused rates times the scales. Transformer Engine: NVTE_FUSED_ATTN, NVTE_FLASH_ATTN</source>
        <translation>融合アテンションを計算するもの。カーネルの違いはデバイスの世代差より大きくなります。数値のないデバイスでは自身の融合速度 × 係数を使います。Transformer Engine: NVTE_FUSED_ATTN, NVTE_FLASH_ATTN</translation>
    </message>
    <message>
        <source>What data ranks share instead of keeping it all</source>
        <translation>データランクがすべてを持つ代わりに分担するもの</translation>
    </message>
    <message>
        <source>What data-parallel ranks share: 0 nothing, 1 optimizer state, 2 gradients too, 3 weights too (FSDP). Megatron: 1 is --use-distributed-optimizer; DeepSpeed: zero_optimization.stage</source>
        <translation>データ並列ランクが分担するもの: 0 なし、1 オプティマイザ状態、2 勾配も、3 重みも (FSDP)。Megatron: 1 は --use-distributed-optimizer、DeepSpeed: zero_optimization.stage</translation>
    </message>
    <message>
        <source>What do failures, checkpoints and the ends of jobs take, and how often to write a checkpoint?</source>
        <translation>障害、チェックポイント、ジョブの終了にどれだけ時間を取られ、チェックポイントはどの間隔で書くべきですか。</translation>
    </message>
    <message>
        <source>What do long sequences cost?</source>
        <translation>長い系列の代償は？</translation>
    </message>
    <message>
        <source>What do other accelerators do?</source>
        <translation>ほかのアクセラレータではどうなるか？</translation>
    </message>
    <message>
        <source>What do the equations of a published study give for this plan?</source>
        <translation>公表された研究の式では、この計画はどうなりますか。</translation>
    </message>
    <message>
        <source>What does a dense model take on GPUs?</source>
        <translation>密モデルの GPU での学習には何が必要か？</translation>
    </message>
    <message>
        <source>What does a mixture of experts take?</source>
        <translation>MoE には何が必要か？</translation>
    </message>
    <message>
        <source>What does a programme ask for, and what do I hand in?</source>
        <translation>公募プログラムは何を求め、何を提出すればよいですか。</translation>
    </message>
    <message>
        <source>What does each pipeline stage do when, and where does it wait?</source>
        <translation>各パイプラインステージはいつ何をし、どこで待ちますか。</translation>
    </message>
    <message>
        <source>What does it take on a leadership machine?</source>
        <translation>最大級の計算機では何が必要か？</translation>
    </message>
    <message>
        <source>What does it take to fine-tune a model?</source>
        <translation>モデルのファインチューニングには何が必要か</translation>
    </message>
    <message>
        <source>What does the answer hang on, and how sure is it?</source>
        <translation>答えは何に左右され、どれだけ確かですか。</translation>
    </message>
    <message>
        <source>What does the run draw, cost and emit?</source>
        <translation>実行の電力、費用、排出量はどれだけですか。</translation>
    </message>
    <message>
        <source>What does this computer, a job of mine or a running job measure?</source>
        <translation>このコンピュータ、自分のジョブ、実行中のジョブでは何が測定されますか。</translation>
    </message>
    <message>
        <source>What fills the memory of each stage, and which kinds of layers?</source>
        <translation>各ステージのメモリは何に、どの種類の層に使われていますか。</translation>
    </message>
    <message>
        <source>What fp8 products keep, over a long run, of the rate of short bursts</source>
        <translation>fp8 行列積が長時間の実行で保つ、短時間の速度に対する割合</translation>
    </message>
    <message>
        <source>What if the memory is too small?</source>
        <translation>メモリが足りないときは？</translation>
    </message>
    <message>
        <source>What if the network is slow or mixed, or the optimizer another?</source>
        <translation>ネットワークが遅い、混在する、オプティマイザが違うときは？</translation>
    </message>
    <message>
        <source>What is &amp;new</source>
        <translation>新機能(&amp;N)</translation>
    </message>
    <message>
        <source>What is &amp;this?</source>
        <translation>これは何？(&amp;T)</translation>
    </message>
    <message>
        <source>What is aimed at, and what must hold</source>
        <translation>目標と、守るべき制限</translation>
    </message>
    <message>
        <source>What is asked</source>
        <translation>質問の内容</translation>
    </message>
    <message>
        <source>What is asked for</source>
        <translation>申請する量</translation>
    </message>
    <message>
        <source>What is chosen here is remembered for this programme, and used for its proposal</source>
        <translation>ここでの選択はこのプログラム用に記憶され、その申請書にも使われます</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>比較の対象</translation>
    </message>
    <message>
        <source>What is computed again in the backward pass</source>
        <translation>逆伝播で計算し直すもの</translation>
    </message>
    <message>
        <source>What is counted</source>
        <translation>含めるもの</translation>
    </message>
    <message>
        <source>What is known of the run</source>
        <translation>実行について分かっていること</translation>
    </message>
    <message>
        <source>What is not sent is kept on the device (SSDTrain) or computed again token by token (MEMO)</source>
        <translation>送らない分をデバイスに保持するか (SSDTrain)、トークンごとに計算し直すか (MEMO)</translation>
    </message>
    <message>
        <source>What is odd about the logs</source>
        <translation>ログについての注意</translation>
    </message>
    <message>
        <source>What is varied</source>
        <translation>変える入力</translation>
    </message>
    <message>
        <source>What is wrong with the price</source>
        <translation>料金の誤り</translation>
    </message>
    <message>
        <source>What it alone would have to be</source>
        <translation>これだけが原因なら必要な値</translation>
    </message>
    <message>
        <source>What it brings</source>
        <translation>得られるもの</translation>
    </message>
    <message>
        <source>What it decides, or why it stays assumed</source>
        <translation>何を決めるか、または仮定のままの理由</translation>
    </message>
    <message>
        <source>What it lacks</source>
        <translation>不足しているもの</translation>
    </message>
    <message>
        <source>What it tells</source>
        <translation>語ること</translation>
    </message>
    <message>
        <source>What may &amp;change:</source>
        <translation>変えてよいもの(&amp;C):</translation>
    </message>
    <message>
        <source>What may change:</source>
        <translation>変えてよいもの：</translation>
    </message>
    <message>
        <source>What measured runs of your own say of plans like them</source>
        <translation>自分で測った実行が、それに似た計画について語ること</translation>
    </message>
    <message>
        <source>What mixes tokens; none: a feed-forward block alone</source>
        <translation>トークンを混ぜるもの。なし: フィードフォワードだけの層</translation>
    </message>
    <message>
        <source>What of a layer with experts the host issues in one go: nothing, the router, attention and router, or the whole step. Megatron: --cuda-graph-scope</source>
        <translation>エキスパート層のうちホストが一度に発行する部分: なし、ルーター、アテンションとルーター、ステップ全体。Megatron: --cuda-graph-scope</translation>
    </message>
    <message>
        <source>What one node alone writes or reads</source>
        <translation>1 ノードだけで読み書きできる速度</translation>
    </message>
    <message>
        <source>What runs beside the window</source>
        <translation>並行して実行中の処理</translation>
    </message>
    <message>
        <source>What runs beside the window. Click to cancel it</source>
        <translation>並行して実行中の処理。クリックするとキャンセルします</translation>
    </message>
    <message>
        <source>What sacct printed of the job</source>
        <translation>ジョブについて sacct が出力したもの</translation>
    </message>
    <message>
        <source>What small updates do not vanish in: fp32, fp16, or remainders, the 16 bits that a bf16 weight lacks of the fp32 one. Megatron: --use-precision-aware-optimizer --main-params-dtype; it keeps remainders then</source>
        <translation>小さな更新が消えない重みです。fp32、fp16、または remainders (bf16 の重みに足りない、fp32 の残り 16 ビット)。Megatron: --use-precision-aware-optimizer --main-params-dtype。その場合は remainders を保持します</translation>
    </message>
    <message>
        <source>What sources other than a run's own had measured of its stack and device; for mixtures of experts, what other vendors had</source>
        <translation>実行自身の出典以外が、そのソフトウェアとデバイスについて測っていたもの。MoE では、ほかのベンダーが測っていたもの</translation>
    </message>
    <message>
        <source>What stands behind it; none: a mixer alone</source>
        <translation>その後ろにあるもの。なし: ミキサーだけの層</translation>
    </message>
    <message>
        <source>What stands here later</source>
        <translation>後でここに示すもの</translation>
    </message>
    <message>
        <source>What takes the time of a step, and which kinds of layers?</source>
        <translation>ステップの時間は何に、どの種類の層に使われていますか。</translation>
    </message>
    <message>
        <source>What the answer hangs on</source>
        <translation>答えを左右するもの</translation>
    </message>
    <message>
        <source>What the answer rests on</source>
        <translation>答えの根拠</translation>
    </message>
    <message>
        <source>What the backward pass computes again instead of keeping it</source>
        <translation>逆伝播で保持せずに計算し直すもの</translation>
    </message>
    <message>
        <source>What the backward pass computes again instead of keeping: selective the attention core, or a list of modules, full whole layers. Megatron: --recompute-granularity</source>
        <translation>逆伝播が保持せずに計算し直すもの: selective はアテンション本体かモジュールのリスト、full は層全体。Megatron: --recompute-granularity</translation>
    </message>
    <message>
        <source>What the budget pays for</source>
        <translation>予算でできること</translation>
    </message>
    <message>
        <source>What the budget would train</source>
        <translation>予算で学習できるもの</translation>
    </message>
    <message>
        <source>What the framework is started with so that it runs this plan. Paths of data, tokenizer and checkpoints are left to you.</source>
        <translation>この計画を実行するためにフレームワークに渡すもの。データ、トークナイザー、チェックポイントのパスは指定してください。</translation>
    </message>
    <message>
        <source>What the global batch costs in tokens, by published critical batches, and other batches for the same loss.</source>
        <translation>グローバルバッチがトークン数で何を要するか(公表された臨界バッチによる)、および同じ損失に達する他のバッチ。</translation>
    </message>
    <message>
        <source>What the job still has to do: changing pays the longer it goes on</source>
        <translation>ジョブの残りの作業量。長く続くほど変更の効果が大きくなります</translation>
    </message>
    <message>
        <source>What the likely range is made of</source>
        <translation>推定範囲の内訳</translation>
    </message>
    <message>
        <source>What the memory is</source>
        <translation>メモリの値の種類</translation>
    </message>
    <message>
        <source>What the number comes from</source>
        <translation>この数値の根拠</translation>
    </message>
    <message>
        <source>What the programme charges for an hour of one node of the plan's machine</source>
        <translation>計画の計算機の 1 ノードの 1 時間に対して、プログラムが課す量です</translation>
    </message>
    <message>
        <source>What the projections into attention store: their input, the layer's input where the norm is fused into them, latent vectors. Megatron: --offload-modules qkv_linear</source>
        <translation>アテンションへの射影が保持するもの: その入力、正規化が融合されている場合は層の入力、潜在ベクトル。Megatron: --offload-modules qkv_linear</translation>
    </message>
    <message>
        <source>What the search found</source>
        <translation>探索の結果</translation>
    </message>
    <message>
        <source>What the search minimizes</source>
        <translation>探索で最小化する量</translation>
    </message>
    <message>
        <source>What the short runs cost and tell</source>
        <translation>短い実行の費用と、それが語ること</translation>
    </message>
    <message>
        <source>What the short runs do not show</source>
        <translation>短い実行では見えないこと</translation>
    </message>
    <message>
        <source>What the site charges</source>
        <translation>センターの課金単位</translation>
    </message>
    <message>
        <source>What the steps may mean, and what would pay</source>
        <translation>ステップの意味と、効果のある変更</translation>
    </message>
    <message>
        <source>What the tiles and totals count</source>
        <translation>タイルと合計に含めるもの</translation>
    </message>
    <message>
        <source>What they measured</source>
        <translation>その実測</translation>
    </message>
    <message>
        <source>What this page is for</source>
        <translation>このページの目的</translation>
    </message>
    <message>
        <source>What to calibrate for</source>
        <translation>較正の対象</translation>
    </message>
    <message>
        <source>What to change so that it fits</source>
        <translation>収まるように何を変えるか</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>取るべき対応</translation>
    </message>
    <message>
        <source>What to know before it is submitted</source>
        <translation>投入前の注意</translation>
    </message>
    <message>
        <source>What to know of the answer</source>
        <translation>答えについての注意</translation>
    </message>
    <message>
        <source>What to know of this comparison</source>
        <translation>この比較についての注意</translation>
    </message>
    <message>
        <source>What trains the model; opens with the one of the plan's software</source>
        <translation>モデルを学習するもの。計画のソフトウェアのものが最初に選ばれます</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>見つかったもの</translation>
    </message>
    <message>
        <source>What was measured</source>
        <translation>何を測定したか</translation>
    </message>
    <message>
        <source>What will be measured</source>
        <translation>測定する内容</translation>
    </message>
    <message>
        <source>What will run</source>
        <translation>実行する内容</translation>
    </message>
    <message>
        <source>What works there: a trial job (plimsoll calibrate with --script and --trial 3), and its network measured from the processors (plimsoll-engine --bench collectives,p2p, with --dp and --pp for its ranks).</source>
        <translation>そこで使えるもの: 試しのジョブ（plimsoll calibrate に --script と --trial 3）と、プロセッサからのネットワークの測定（plimsoll-engine --bench collectives,p2p。ランクは --dp と --pp で指定）。</translation>
    </message>
    <message>
        <source>What would other machines, batches, software or budgets give?</source>
        <translation>別のマシン、バッチ、ソフトウェア、予算ではどうなりますか。</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>場所</translation>
    </message>
    <message>
        <source>Where Slurm counts energy, the joules of the whole job come along: {1} once it has ended, and {2}.</source>
        <translation>Slurm が電力量を数えているところでは、ジョブ全体のジュールも加えられます。ジョブの終了後に {1} を実行し、{2} とします。</translation>
    </message>
    <message>
        <source>Where it is saved</source>
        <translation>保存先</translation>
    </message>
    <message>
        <source>Where the difference comes from</source>
        <translation>差の内訳</translation>
    </message>
    <message>
        <source>Where the layout leaves stages even, they are filled by their share of the products, head included: nanotron</source>
        <translation>構成がステージを均等にするとき、ヘッドを含む行列積の分担で層を割り当てます: nanotron</translation>
    </message>
    <message>
        <source>Where the pack was written</source>
        <translation>一式の書き出し先</translation>
    </message>
    <message>
        <source>Where the plan does not fit or cannot be computed, this line says why and offers changes that help.</source>
        <translation>計画が収まらない、または計算できないとき、この行が理由を示し、有効な変更を提案します。</translation>
    </message>
    <message>
        <source>Where the ranks last were: %1.</source>
        <translation>ランクの最後の位置: %1</translation>
    </message>
    <message>
        <source>Where the tokens may change, time, node-hours, energy or cost needs a limit: else there is no most.</source>
        <translation>トークン数を変える場合は、時間、ノード時間、電力量、費用のいずれかに制限が必要です。制限がなければ最大がありません。</translation>
    </message>
    <message>
        <source>Whether it runs, and what to do</source>
        <translation>実行できるか、何をすべきか</translation>
    </message>
    <message>
        <source>Which layers have experts or a window follows from numbers. As a table and a pattern, layers may be of any kind: Mamba-2 beside attention, for example.</source>
        <translation>どの層がエキスパートや窓を持つかは、数値から決まっています。表とパターンにすると、層をどの種類にもできます。例えばアテンションと Mamba-2 の組み合わせです。</translation>
    </message>
    <message>
        <source>Which layout and schedule?</source>
        <translation>どの並列構成とスケジュールがよいか？</translation>
    </message>
    <message>
        <source>Which layouts are searched</source>
        <translation>探索する並列構成の範囲</translation>
    </message>
    <message>
        <source>Which logs are read</source>
        <translation>どのログを読んでいるか</translation>
    </message>
    <message>
        <source>Which of the other tabs are compared with this plan: five at most</source>
        <translation>この計画と比べるほかのタブを選びます。5件までです</translation>
    </message>
    <message>
        <source>Which part of the step is off?</source>
        <translation>ステップのどの部分がずれているか</translation>
    </message>
    <message>
        <source>Which plan is the best within my limits?</source>
        <translation>制限の範囲で最もよい計画はどれですか。</translation>
    </message>
    <message>
        <source>Which split of the devices is the fastest, and which nearly fits?</source>
        <translation>デバイスのどの分割が最も速く、どの分割があと少しで収まりますか。</translation>
    </message>
    <message>
        <source>Which steps count</source>
        <translation>どのステップを数えるか</translation>
    </message>
    <message>
        <source>Which two or three short runs of the software I use tell most about this plan, and what did they say?</source>
        <translation>使っているソフトウェアでのどの 2 つか 3 つの短い実行が、この計画について最も多くを語り、何を示したか。</translation>
    </message>
    <message>
        <source>While {1}</source>
        <translation>{1}の間</translation>
    </message>
    <message>
        <source>Whole gradients</source>
        <translation>勾配全体</translation>
    </message>
    <message>
        <source>Whole nodes in use. Model-parallel degrees stay, data parallelism takes what is left. Launcher: --nodes</source>
        <translation>使用するノード数（ノード単位）。モデル並列数は保ち、残りをデータ並列にします。ランチャー: --nodes</translation>
    </message>
    <message>
        <source>Whole step</source>
        <translation>ステップ全体</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Why it is faster or slower</source>
        <translation>速い、または遅い理由</translation>
    </message>
    <message>
        <source>Why it takes longer or shorter</source>
        <translation>時間が変わる理由</translation>
    </message>
    <message>
        <source>Why the last attempt failed</source>
        <translation>前回失敗した理由</translation>
    </message>
    <message>
        <source>Widened from {1} %</source>
        <translation>{1} % から拡大</translation>
    </message>
    <message>
        <source>Widens moments</source>
        <translation>モーメントを広げる</translation>
    </message>
    <message>
        <source>Widest side</source>
        <translation>最も広い辺</translation>
    </message>
    <message>
        <source>Width between an adapter's two products. PEFT: r; torchtune: lora_rank</source>
        <translation>アダプターの二つの積の間の幅。PEFT: r、torchtune: lora_rank</translation>
    </message>
    <message>
        <source>Width in mm</source>
        <translation>幅（mm）</translation>
    </message>
    <message>
        <source>Width of a key; Mamba-2: size of the state</source>
        <translation>キーの幅。Mamba-2: 状態の大きさ</translation>
    </message>
    <message>
        <source>Width of a value</source>
        <translation>値の幅</translation>
    </message>
    <message>
        <source>Width of an exchanged token</source>
        <translation>交換するトークンの幅</translation>
    </message>
    <message>
        <source>Width of an exchanged token over that of the residual stream, r, in the dcca order</source>
        <translation>dcca 順序で交換するトークンの幅の、残差ストリームに対する比 r</translation>
    </message>
    <message>
        <source>Width of one head. Megatron: --kv-channels</source>
        <translation>1 ヘッドの幅。Megatron: --kv-channels</translation>
    </message>
    <message>
        <source>Width of the residual stream, h; the head dimension follows. Megatron: --hidden-size</source>
        <translation>残差ストリームの幅 h。ヘッド次元も追従します。Megatron: --hidden-size</translation>
    </message>
    <message>
        <source>Width {1}</source>
        <translation>幅 {1}</translation>
    </message>
    <message>
        <source>Width, heads and layers together, from a sixteenth to sixteen times the parameters</source>
        <translation>幅、ヘッド数、層数をともに変えます。パラメータ数は 16 分の 1 から 16 倍まで</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窓</translation>
    </message>
    <message>
        <source>Windows are chunks</source>
        <translation>窓はチャンク</translation>
    </message>
    <message>
        <source>With a checkpoint</source>
        <translation>チェックポイントを含む</translation>
    </message>
    <message>
        <source>With a micro-batch of {2} instead of {1} it falls from {3} to {4}.</source>
        <translation>マイクロバッチを {1} から {2} にすると、{3} から {4} に下がります。</translation>
    </message>
    <message>
        <source>With a micro-batch of {2} instead of {1} it rises from {3} to {4}.</source>
        <translation>マイクロバッチを {1} から {2} にすると、{3} から {4} に上がります。</translation>
    </message>
    <message>
        <source>With a micro-batch of {2} instead of {1} it stays at {3}.</source>
        <translation>マイクロバッチを {1} から {2} にしても、{3} のままです。</translation>
    </message>
    <message>
        <source>With an evaluation</source>
        <translation>評価を含む</translation>
    </message>
    <message>
        <source>With failures and job ends</source>
        <translation>障害とジョブ終了を含める</translation>
    </message>
    <message>
        <source>With failures and job ends, if longer than a day</source>
        <translation>1 日を超える場合は障害とジョブ終了を含める</translation>
    </message>
    <message>
        <source>With its history and where it was</source>
        <translation>履歴とともに、元の位置に開きます</translation>
    </message>
    <message>
        <source>With latent attention the projection down. PEFT: k_proj</source>
        <translation>潜在アテンションでは下への射影です。PEFT: k_proj</translation>
    </message>
    <message>
        <source>With latent attention the projection up. PEFT: v_proj</source>
        <translation>潜在アテンションでは上への射影です。PEFT: v_proj</translation>
    </message>
    <message>
        <source>With one replica there is nobody to share states with.</source>
        <translation>レプリカが 1 つなので、状態を分け合う相手がいません。</translation>
    </message>
    <message>
        <source>With the &amp;other plans</source>
        <translation>ほかの計画も含める(&amp;O)</translation>
    </message>
    <message>
        <source>With the presets as they ship: </source>
        <translation>付属のプリセットでの値: </translation>
    </message>
    <message>
        <source>With updates on CPUs the devices keep the fp32 master weights; fp32 gradients go down and fp32 weights come back</source>
        <translation>CPU で更新する場合も、デバイスが fp32 のマスター重みを保持します。fp32 の勾配が下り、fp32 の重みが戻ります</translation>
    </message>
    <message>
        <source>With {1}, {2} parameters are tuned on the plan's tokens in {3}: {4}.</source>
        <translation>{1} で、{2} パラメータを計画のトークンで調整すると {3} です: {4}。</translation>
    </message>
    <message>
        <source>With {1}, {2} parameters train on twenty tokens each in {3}: {4}.</source>
        <translation>{1} では {2} パラメータを、1 パラメータあたり 20 トークンで {3} で学習できる：{4}。</translation>
    </message>
    <message>
        <source>Within 10 %</source>
        <translation>10 % 以内</translation>
    </message>
    <message>
        <source>Within {1} % of it</source>
        <translation>その {1} % 以内</translation>
    </message>
    <message>
        <source>Within {1} node-hours the run ends first on {2}.</source>
        <translation>{1} ノード時間以内で最も早く終わるのは {2} です。</translation>
    </message>
    <message>
        <source>Without a file of its own</source>
        <translation>自分のファイルがありません</translation>
    </message>
    <message>
        <source>Without any single one of the limits there is none either.</source>
        <translation>どの制限を 1 つ外しても計画はありません。</translation>
    </message>
    <message>
        <source>Without end: failures, restarts and checkpoints take all of the time</source>
        <translation>終わりません: 障害、再起動、チェックポイントがすべての時間を占めます</translation>
    </message>
    <message>
        <source>Without the limit of %1</source>
        <translation>%1 の制限がない場合</translation>
    </message>
    <message>
        <source>Without the {1} that something disturbed it is {2}.</source>
        <translation>乱れのあった {1} 件を除くと {2} です。</translation>
    </message>
    <message>
        <source>Words to find</source>
        <translation>探す言葉</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>処理</translation>
    </message>
    <message>
        <source>Work at the ceiling</source>
        <translation>上限速度での演算量</translation>
    </message>
    <message>
        <source>Work is still running</source>
        <translation>処理が続いています</translation>
    </message>
    <message>
        <source>Work per step</source>
        <translation>1 ステップの演算量</translation>
    </message>
    <message>
        <source>Works the answer out beside the window</source>
        <translation>ウィンドウと並行して答えを求めます</translation>
    </message>
    <message>
        <source>Worst</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Worst run: %1, %2. </source>
        <translation>最大誤差の実行: %1、%2。 </translation>
    </message>
    <message>
        <source>Would another layout win on a different machine?</source>
        <translation>違う計算機なら別の構成が勝つか</translation>
    </message>
    <message>
        <source>Write the job</source>
        <translation>ジョブを書き出す</translation>
    </message>
    <message>
        <source>Write the proposal's pack into a folder</source>
        <translation>申請書一式をフォルダに書き出す</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>書き込み</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>%1 を書き出し中</translation>
    </message>
    <message>
        <source>Writing checkpoints</source>
        <translation>チェックポイントの書き込み</translation>
    </message>
    <message>
        <source>Written per step</source>
        <translation>1 ステップの書き込み</translation>
    </message>
    <message>
        <source>Written per step and node</source>
        <translation>1 ステップ・1 ノードの書き込み</translation>
    </message>
    <message>
        <source>Yes: with a global batch of {2} instead of {1} the MFU rises from {3} to {4}.</source>
        <translation>はい：グローバルバッチを {1} から {2} にすると、MFU は {3} から {4} に上がります。</translation>
    </message>
    <message>
        <source>Young 1974: sqrt(2 C M), C one checkpoint, M time between failures</source>
        <translation>ヤング 1974: sqrt(2 C M)、C はチェックポイント 1 回、M は障害の間隔</translation>
    </message>
    <message>
        <source>Young's optimum, sqrt(2 C M) = {1}, lengthened towards {2} as far as that costs at most {3} of the time</source>
        <translation>ヤングの最適値 sqrt(2 C M) = {1} を、損失が時間の {3} を超えない範囲で {2} に近づけて延長</translation>
    </message>
    <message>
        <source>Your own scaling runs</source>
        <translation>自分のスケーリング測定</translation>
    </message>
    <message>
        <source>Your own scaling runs, CSV or JSON: nodes, step_s, and machine, date, job, scaling, gpu_utilisation. Only they enter the tables of measurements</source>
        <translation>自分のスケーリング測定（CSV または JSON）: nodes、step_s と machine、date、job、scaling、gpu_utilisation。測定の表にはこれだけが入ります</translation>
    </message>
    <message>
        <source>Your runs</source>
        <translation>あなたの実行</translation>
    </message>
    <message>
        <source>ZeRO</source>
        <translation>ZeRO</translation>
    </message>
    <message>
        <source>ZeRO flattens matrices, so Adafactor finds no rows. Nearest: ZeRO stage 0, or adam.</source>
        <translation>ZeRO は行列を平らにするため、Adafactor は行を見つけられません。最も近い値: ZeRO ステージ 0、または adam。</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO ステージ</translation>
    </message>
    <message>
        <source>ZeRO stage 1</source>
        <translation>ZeRO ステージ 1</translation>
    </message>
    <message>
        <source>ZeRO stage 2</source>
        <translation>ZeRO ステージ 2</translation>
    </message>
    <message>
        <source>ZeRO stage 3</source>
        <translation>ZeRO ステージ 3</translation>
    </message>
    <message>
        <source>ZeRO stage is 0</source>
        <translation>ZeRO ステージが 0</translation>
    </message>
    <message>
        <source>ZeRO stage is below 3</source>
        <translation>ZeRO 段階が 3 未満</translation>
    </message>
    <message>
        <source>ZeRO stage is not 1</source>
        <translation>ZeRO ステージが 1 でない</translation>
    </message>
    <message>
        <source>ZeRO stage is not 3</source>
        <translation>ZeRO ステージが 3 でない</translation>
    </message>
    <message>
        <source>ZeRO stage with a pipeline</source>
        <translation>パイプライン時の ZeRO ステージ</translation>
    </message>
    <message>
        <source>ZeRO stage {1}</source>
        <translation>ZeRO ステージ {1}</translation>
    </message>
    <message>
        <source>ZeRO stages {1} and {2}</source>
        <translation>ZeRO ステージ {1} と {2}</translation>
    </message>
    <message>
        <source>ZeRO volumes, Rajbhandari et al. 2020, section 7</source>
        <translation>ZeRO の通信量、Rajbhandari et al. 2020, section 7</translation>
    </message>
    <message>
        <source>ZeRO {1} needs as much memory as {2}.</source>
        <translation>ZeRO {1} は {2} と同じメモリを必要とします。</translation>
    </message>
    <message>
        <source>ZeRO {1} needs less memory than {2}: {3}.</source>
        <translation>ZeRO {1} は {2} より少ないメモリで済みます: {3}。</translation>
    </message>
    <message>
        <source>ZeRO {1} needs more memory than {2}: {3}.</source>
        <translation>ZeRO {1} は {2} より多くのメモリを必要とします: {3}。</translation>
    </message>
    <message>
        <source>ZeRO {1}: {2}</source>
        <translation>ZeRO {1}: {2}</translation>
    </message>
    <message>
        <source>ZeRO-</source>
        <translation>ZeRO-</translation>
    </message>
    <message>
        <source>ZeRO-1 across nodes: per layer and node</source>
        <translation>ノードをまたぐ ZeRO-1: 層とノードごと</translation>
    </message>
    <message>
        <source>ZeRO-1 across nodes: per rank that owns a share of the optimizer</source>
        <translation>ノードをまたぐ ZeRO-1: オプティマイザの分担を持つランクあたり</translation>
    </message>
    <message>
        <source>ZeRO-1 adds whole gradients up on every rank and gathers the weights besides</source>
        <translation>ZeRO-1 が各ランクで勾配全体を加算し、さらに重みを集めます</translation>
    </message>
    <message>
        <source>ZeRO-2</source>
        <translation>ZeRO-2</translation>
    </message>
    <message>
        <source>ZeRO-3</source>
        <translation>ZeRO-3</translation>
    </message>
    <message>
        <source>ZeRO-3 fetches fp32 weights and casts after: autocast</source>
        <translation>ZeRO-3 が fp32 の重みを取り寄せてから変換します: autocast</translation>
    </message>
    <message>
        <source>ZeRO-3 that works by module (DeepSpeed): to issue the gather, or the reduction, of one of a layer's matrices</source>
        <translation>モジュール単位で動く ZeRO-3（DeepSpeed）: 層の行列 1 つの収集または縮約を発行する時間</translation>
    </message>
    <message>
        <source>ZeRO-3 with a pipeline: weights stay gathered and gradients whole through a step</source>
        <translation>パイプライン時の ZeRO-3: ステップの間、重みを集めたまま、勾配を全体のまま保ちます</translation>
    </message>
    <message>
        <source>ZeRO-3: a unit's gradient is copied to fp32 before it is shared out</source>
        <translation>ZeRO-3: 分配の前に勾配を fp32 に写します</translation>
    </message>
    <message>
        <source>ZeRO-3: embedding and head are fetched whole, with room for their gradient</source>
        <translation>ZeRO-3: 埋め込みとヘッドを全体で取り寄せ、勾配の領域も取ります</translation>
    </message>
    <message>
        <source>ZeRO-3: of the unit whose gradient is shared out, with its fp32 copy; or fp32 sums of all</source>
        <translation>ZeRO-3: 勾配を分配する単位とその fp32 の写し、または全体の fp32 の和</translation>
    </message>
    <message>
        <source>ZeRO-3: units at work and fetched ahead, or all of the stage where they stay gathered</source>
        <translation>ZeRO-3: 処理中と先読みした単位、または集めたままならステージ全体</translation>
    </message>
    <message>
        <source>ZeRO-Infinity, drives</source>
        <translation>ZeRO-Infinity、ドライブ</translation>
    </message>
    <message>
        <source>ZeRO-Infinity, drives, tensor parallel</source>
        <translation>ZeRO-Infinity、ドライブ、テンソル並列</translation>
    </message>
    <message>
        <source>ZeRO-Infinity, host memory</source>
        <translation>ZeRO-Infinity、ホストメモリ</translation>
    </message>
    <message>
        <source>ZeRO-Offload</source>
        <translation>ZeRO-Offload</translation>
    </message>
    <message>
        <source>ZeRO-Offload, tensor parallel</source>
        <translation>ZeRO-Offload、テンソル並列</translation>
    </message>
    <message>
        <source>Zoom &amp;in (W)</source>
        <translation>拡大 (W)(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out (S)</source>
        <translation>縮小 (S)(&amp;O)</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>拡大</translation>
    </message>
    <message>
        <source>Zoom in (W or +)</source>
        <translation>拡大 (W または +)</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>縮小</translation>
    </message>
    <message>
        <source>Zoom out (S or −); A and D move</source>
        <translation>縮小 (S または −)。A と D で移動</translation>
    </message>
    <message>
        <source>a calibration is running: cancel it first</source>
        <translation>較正を実行中です。先にキャンセルしてください</translation>
    </message>
    <message>
        <source>a checkpoint was saved in it</source>
        <translation>その間にチェックポイントが保存された</translation>
    </message>
    <message>
        <source>a closing bracket without one that opens</source>
        <translation>開き括弧のない閉じ括弧</translation>
    </message>
    <message>
        <source>a control character, expected text</source>
        <translation>制御文字があります。文字だけにしてください</translation>
    </message>
    <message>
        <source>a dense block</source>
        <translation>密なブロック</translation>
    </message>
    <message>
        <source>a dense model</source>
        <translation>密モデル</translation>
    </message>
    <message>
        <source>a failure a week does not show in two minutes</source>
        <translation>週に一度の障害は 2 分では現れません</translation>
    </message>
    <message>
        <source>a feed-forward block alone is not known of this type</source>
        <translation>この種類に、フィードフォワードブロックだけの層はありません</translation>
    </message>
    <message>
        <source>a group of one has nothing to exchange</source>
        <translation>1 ランクのグループでは交換がありません</translation>
    </message>
    <message>
        <source>a heading and no job below it: Slurm knows no job of this id, or it is not yours</source>
        <translation>見出しの下にジョブがありません。Slurm がこの id のジョブを知らないか、あなたのジョブではありません</translation>
    </message>
    <message>
        <source>a job of {1} ends before it has started and saved ({2})</source>
        <translation>{1} のジョブは開始と保存を終える前に終了します（{2}）</translation>
    </message>
    <message>
        <source>a later one of the same name stands for it</source>
        <translation>後にある同名の設定が優先されます</translation>
    </message>
    <message>
        <source>a later setting replaces it: {1} in {2}</source>
        <translation>後の設定で置き換えられます: {2} の {1}</translation>
    </message>
    <message>
        <source>a layer with neither a mixer nor a feed-forward block</source>
        <translation>ミキサーもフィードフォワードもない層です</translation>
    </message>
    <message>
        <source>a letter or a sign other than ( ) | / ,</source>
        <translation>( ) | / , 以外の文字または記号 1 つ</translation>
    </message>
    <message>
        <source>a library the engine needs is missing</source>
        <translation>エンジンに必要なライブラリがありません</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>一覧</translation>
    </message>
    <message>
        <source>a list of at most {1}</source>
        <translation>{1} 個以下の一覧</translation>
    </message>
    <message>
        <source>a list of at most {1} clusters</source>
        <translation>{1} 個以下のクラスタの一覧</translation>
    </message>
    <message>
        <source>a list of constants</source>
        <translation>定数の一覧</translation>
    </message>
    <message>
        <source>a list of device families, machines or stacks</source>
        <translation>デバイス系列、計算機、またはソフトウェアの一覧</translation>
    </message>
    <message>
        <source>a list of layers</source>
        <translation>層の一覧</translation>
    </message>
    <message>
        <source>a list of measured runs</source>
        <translation>実測した実行の一覧</translation>
    </message>
    <message>
        <source>a list of probes</source>
        <translation>短い実行の一覧</translation>
    </message>
    <message>
        <source>a list of runs</source>
        <translation>実行の一覧</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文字列の一覧</translation>
    </message>
    <message>
        <source>a list of the engine's options</source>
        <translation>エンジンのオプションの一覧</translation>
    </message>
    <message>
        <source>a list of whole numbers</source>
        <translation>整数の一覧</translation>
    </message>
    <message>
        <source>a machine, complete</source>
        <translation>完全な計算機</translation>
    </message>
    <message>
        <source>a matrix under K-FAC and SOAP, a tile under Shampoo</source>
        <translation>K-FAC と SOAP では行列 1 つ、Shampoo ではタイル 1 つ</translation>
    </message>
    <message>
        <source>a message is between 2 ranks</source>
        <translation>メッセージは 2 ランクの間のものです</translation>
    </message>
    <message>
        <source>a mixture of experts</source>
        <translation>MoE</translation>
    </message>
    <message>
        <source>a mixture of experts cannot be told from shapes alone: import its config.json</source>
        <translation>MoE は形状だけでは分かりません。config.json を取り込んでください</translation>
    </message>
    <message>
        <source>a module that predicts a further token</source>
        <translation>先のトークンを予測するモジュール</translation>
    </message>
    <message>
        <source>a module that predicts further tokens is part of the model, on the stage of the loss; a run without it has 0 further tokens</source>
        <translation>先のトークンを予測するモジュールは、損失のステージにあるモデルの一部です。これなしの実行では、先のトークンを 0 にします</translation>
    </message>
    <message>
        <source>a monitor showed the device full: what the plan itself needs is not told</source>
        <translation>モニタではデバイスが満杯でした。計画自体が必要とする量は分かりません</translation>
    </message>
    <message>
        <source>a node has {1}, so the sums inside every layer cross the slower network</source>
        <translation>1 ノードは{1}なので、各層の総和が遅いネットワークを通ります</translation>
    </message>
    <message>
        <source>a number above 0, at most {1}</source>
        <translation>0 より大きく {1} 以下の数</translation>
    </message>
    <message>
        <source>a number is too large</source>
        <translation>数値が大きすぎます</translation>
    </message>
    <message>
        <source>a number of at least {1}, at most {2}</source>
        <translation>{1} 以上 {2} 以下の数</translation>
    </message>
    <message>
        <source>a picture of {1} mm with {2} dpi has more than {3} pixels a side</source>
        <translation>{1} mm、{2} dpi の画像は一辺が {3} 画素を超えます</translation>
    </message>
    <message>
        <source>a plan without a file</source>
        <translation>ファイルのない計画</translation>
    </message>
    <message>
        <source>a preset id or an object</source>
        <translation>プリセットの id またはオブジェクト</translation>
    </message>
    <message>
        <source>a rank holds several experts</source>
        <translation>1 ランクが複数のエキスパートを持つ</translation>
    </message>
    <message>
        <source>a reference row, not for scoring</source>
        <translation>参考の行のため評価しません</translation>
    </message>
    <message>
        <source>a scenario</source>
        <translation>シナリオ</translation>
    </message>
    <message>
        <source>a scenario: what is predicted of it</source>
        <translation>シナリオ（予測の対象）</translation>
    </message>
    <message>
        <source>a second copy of the weights in {1}</source>
        <translation>重みの 2 つ目の写しを {1} ランクで分担</translation>
    </message>
    <message>
        <source>a second kind of layer; only models whose layers are all alike can be searched</source>
        <translation>2 種類目の層です。探索できるのは、層がすべて同じモデルだけです</translation>
    </message>
    <message>
        <source>a second run {1}: every run has an id of its own</source>
        <translation>実行 {1} が 2 つあります。実行にはそれぞれ独自の id が必要です</translation>
    </message>
    <message>
        <source>a stack, complete</source>
        <translation>完全なソフトウェア</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文字列</translation>
    </message>
    <message>
        <source>a text on one line without control characters, of at most {1} characters</source>
        <translation>制御文字のない {1} 文字以下の 1 行の文字列</translation>
    </message>
    <message>
        <source>a text without control characters, of at most {1} characters</source>
        <translation>制御文字のない {1} 文字以下の文字列</translation>
    </message>
    <message>
        <source>a value and its share of a scale, kept for the micro-batches of a step</source>
        <translation>値と、スケールのその分。ステップのマイクロバッチの間保持します</translation>
    </message>
    <message>
        <source>a value and its share of a scale; no copy in 16 bits</source>
        <translation>値と、スケールのその分。16 ビットの写しはありません</translation>
    </message>
    <message>
        <source>a wait is never negative</source>
        <translation>待ちは負になりません</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a whole number from {1} to {2}</source>
        <translation>{1} から {2} までの整数</translation>
    </message>
    <message>
        <source>a whole number: heads {1} do not divide hidden {2}</source>
        <translation>整数（heads {1} は hidden {2} を割り切りません）</translation>
    </message>
    <message>
        <source>a zero-bubble schedule</source>
        <translation>ゼロバブルスケジュール</translation>
    </message>
    <message>
        <source>above {1} % of the memory this software's allocator gives memory back and asks again, which held up every micro-batch of such runs by {2}</source>
        <translation>メモリの {1} % を超えると、このソフトウェアのアロケータはメモリを返して取り直し、そのような実行ではマイクロバッチごとに {2} の遅れが生じました</translation>
    </message>
    <message>
        <source>account</source>
        <translation>アカウント</translation>
    </message>
    <message>
        <source>achieved bandwidth</source>
        <translation>実効帯域</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>アクティベーション</translation>
    </message>
    <message>
        <source>activations in host memory by module</source>
        <translation>モジュールごとにホストメモリに置くアクティベーション</translation>
    </message>
    <message>
        <source>activations of {1}</source>
        <translation>{1} のアクティベーション</translation>
    </message>
    <message>
        <source>activations that arrive and leave</source>
        <translation>出入りするアクティベーション</translation>
    </message>
    <message>
        <source>adam for {1}</source>
        <translation>{1} の代わりに adam</translation>
    </message>
    <message>
        <source>adapters, and the product behind it</source>
        <translation>アダプターと、層の後ろの積</translation>
    </message>
    <message>
        <source>adds up over the many small operations of a layer</source>
        <translation>層の多数の小さな演算で積み重なります</translation>
    </message>
    <message>
        <source>after recomputation</source>
        <translation>再計算後</translation>
    </message>
    <message>
        <source>all</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>all but the experts</source>
        <translation>エキスパート以外</translation>
    </message>
    <message>
        <source>all layers attend to all tokens</source>
        <translation>全層が全トークンを見る</translation>
    </message>
    <message>
        <source>all layers but the last</source>
        <translation>最後の 1 層を除くすべての層</translation>
    </message>
    <message>
        <source>all of a step; of one micro-batch where ranks exchange tokens for experts or gather weights</source>
        <translation>1 ステップのすべて。ランクがエキスパートのトークンを交換するか重みを集める場合は 1 マイクロバッチ</translation>
    </message>
    <message>
        <source>all of them</source>
        <translation>すべて</translation>
    </message>
    <message>
        <source>all rows</source>
        <translation>全行</translation>
    </message>
    <message>
        <source>all sources</source>
        <translation>全出典</translation>
    </message>
    <message>
        <source>all sources alike</source>
        <translation>全出典を均等に</translation>
    </message>
    <message>
        <source>all weights</source>
        <translation>すべての重み</translation>
    </message>
    <message>
        <source>all, or as many as the loss takes at once</source>
        <translation>すべて、または損失が一度に扱う分</translation>
    </message>
    <message>
        <source>allocated by the framework</source>
        <translation>フレームワークが割り当てた量</translation>
    </message>
    <message>
        <source>allocated to tensors</source>
        <translation>テンソルに割り当てた量</translation>
    </message>
    <message>
        <source>an adapter of the head is not modelled: the plan has none</source>
        <translation>出力層のアダプタはモデル化されていません。計画には含まれません</translation>
    </message>
    <message>
        <source>an adapter that all experts of a rank share is not modelled: in the plan each has its own</source>
        <translation>ランクのすべてのエキスパートが共有するアダプターはモデル化されていません。計画ではそれぞれが自分のものを持ちます</translation>
    </message>
    <message>
        <source>an evaluation ran in it</source>
        <translation>その間に評価が実行された</translation>
    </message>
    <message>
        <source>an interleaved schedule</source>
        <translation>インターリーブスケジュール</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>オブジェクト</translation>
    </message>
    <message>
        <source>an object of units by machine</source>
        <translation>計算機ごとの単位のオブジェクト</translation>
    </message>
    <message>
        <source>an object with columns and rows</source>
        <translation>columns と rows を持つオブジェクト</translation>
    </message>
    <message>
        <source>an opening bracket without one that closes</source>
        <translation>閉じ括弧のない開き括弧</translation>
    </message>
    <message>
        <source>an optimizer other than Adam</source>
        <translation>Adam 以外のオプティマイザ</translation>
    </message>
    <message>
        <source>an option of the engine holds a line break; arguments are passed one a line</source>
        <translation>エンジンのオプションに改行があります。引数は 1 行に 1 つ渡されます</translation>
    </message>
    <message>
        <source>and %1 more stages</source>
        <translation>ほか %1 ステージ</translation>
    </message>
    <message>
        <source>another kind has the letter {1}</source>
        <translation>文字 {1} は別の種類のものです</translation>
    </message>
    <message>
        <source>another wins</source>
        <translation>別の構成が勝つ</translation>
    </message>
    <message>
        <source>any node that fails ends the job</source>
        <translation>どのノードの障害でもジョブが終わります</translation>
    </message>
    <message>
        <source>as fast as</source>
        <translation>同じ速さ:</translation>
    </message>
    <message>
        <source>as in Attention</source>
        <translation>「アテンション」と同じ</translation>
    </message>
    <message>
        <source>as in Elementwise</source>
        <translation>「要素演算」と同じ</translation>
    </message>
    <message>
        <source>as in Layer GEMMs</source>
        <translation>「層の GEMM」と同じ</translation>
    </message>
    <message>
        <source>as in Layer GEMMs and Elementwise</source>
        <translation>「層の GEMM」と「要素演算」と同じ</translation>
    </message>
    <message>
        <source>as in Layer GEMMs, Attention and Elementwise</source>
        <translation>「層の GEMM」「アテンション」「要素演算」と同じ</translation>
    </message>
    <message>
        <source>as in Layer GEMMs, without the one that ends the layer: its result is not needed</source>
        <translation>「層の GEMM」と同じ。ただし結果の不要な最後の行列積を除く</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>現状のまま</translation>
    </message>
    <message>
        <source>as many as two months take</source>
        <translation>2 か月で終わる数</translation>
    </message>
    <message>
        <source>as needed</source>
        <translation>必要なだけ</translation>
    </message>
    <message>
        <source>as the files say</source>
        <translation>ファイルのとおり</translation>
    </message>
    <message>
        <source>as the last layer</source>
        <translation>最後の層と同じ</translation>
    </message>
    <message>
        <source>as they are gathered</source>
        <translation>集められるときの形式</translation>
    </message>
    <message>
        <source>as_products: 16 bits; fp32: converted to 16 bits for the products, with no master weights beside them. PyTorch: autocast, FSDP's MixedPrecisionPolicy</source>
        <translation>as_products: 16 ビット。fp32: 行列積のために 16 ビットへ変換し、別のマスター重みは持ちません。PyTorch: autocast、FSDP の MixedPrecisionPolicy</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>仮定</translation>
    </message>
    <message>
        <source>at its lower end</source>
        <translation>下限のとき</translation>
    </message>
    <message>
        <source>at its upper end</source>
        <translation>上限のとき</translation>
    </message>
    <message>
        <source>at least one sequence length</source>
        <translation>少なくとも 1 つの系列長</translation>
    </message>
    <message>
        <source>at least one value</source>
        <translation>少なくとも 1 つの値</translation>
    </message>
    <message>
        <source>at least two message sizes of {1} ranks</source>
        <translation>{1} ランクのメッセージの大きさ 2 つ以上</translation>
    </message>
    <message>
        <source>at most 1/c of the attention core</source>
        <translation>最大でアテンション本体の 1/c</translation>
    </message>
    <message>
        <source>at the deepest point of the passes</source>
        <translation>順伝播と逆伝播の最も深い時点</translation>
    </message>
    <message>
        <source>at worst</source>
        <translation>最悪時</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>アテンション</translation>
    </message>
    <message>
        <source>attention in every layer</source>
        <translation>すべての層がアテンションです</translation>
    </message>
    <message>
        <source>attention is fused</source>
        <translation>アテンションが融合</translation>
    </message>
    <message>
        <source>attention is not fused</source>
        <translation>アテンションが非融合</translation>
    </message>
    <message>
        <source>attention is not latent</source>
        <translation>アテンションが潜在型でない</translation>
    </message>
    <message>
        <source>attention is wider than {1}</source>
        <translation>アテンションの幅が {1} を超えています</translation>
    </message>
    <message>
        <source>attention keeps documents apart, and no file says how long they are: state it. Until then a sequence is one document</source>
        <translation>アテンションは文書を区別しますが、その長さを示すファイルがありません。長さを入力してください。それまでは 1 系列を 1 文書とします</translation>
    </message>
    <message>
        <source>attention over compressed keys</source>
        <translation>圧縮されたキーへのアテンション</translation>
    </message>
    <message>
        <source>attention, shared experts and projections</source>
        <translation>アテンション、共有エキスパート、射影</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自動</translation>
    </message>
    <message>
        <source>axes of a torus; 1 / (1 + per_doubling x log2(domains / 2)) beyond two domains</source>
        <translation>トーラスの軸。2 領域を超えると 1 / (1 + per_doubling x log2(domains / 2))</translation>
    </message>
    <message>
        <source>b_w R / (2 τ), R = peak of one device, τ tokens per device and step; the study's 94 GB/s, there named achievable</source>
        <translation>b_w R / (2 τ)、R = 1 デバイスのピーク、τ はデバイス・ステップあたりトークン数。論文では 94 GB/s（achievable と表記）</translation>
    </message>
    <message>
        <source>b_w R / (2 τ), R as predicted; the study's 37 GB/s, there named theoretical</source>
        <translation>b_w R / (2 τ)、R は予測値。論文では 37 GB/s（theoretical と表記）</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>逆伝播</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>帯域</translation>
    </message>
    <message>
        <source>belongs to another run, '{1}', skipped</source>
        <translation>別の実行「{1}」の行のため、読み飛ばしました</translation>
    </message>
    <message>
        <source>best layout</source>
        <translation>最良の構成</translation>
    </message>
    <message>
        <source>between neighbouring stages</source>
        <translation>隣接ステージ間</translation>
    </message>
    <message>
        <source>between nodes one for each node visited, G (1 - (1 - 1/G)^k) (G-1)/G expected; inside a node one for each of e ranks visited, e (1 - (1 - 1/e)^k), that lies beyond this level</source>
        <translation>ノード間では訪れるノードごとに 1 つ、期待値 G (1 - (1 - 1/G)^k) (G-1)/G。ノード内では訪れる e ランクのうちこの階層の外のものごとに 1 つ、e (1 - (1 - 1/e)^k)</translation>
    </message>
    <message>
        <source>between nodes one for each node visited, G (1 - (1 - 1/G)^k) (G-1)/G expected; inside a node one per expert</source>
        <translation>ノード間では訪れるノードごとに 1 つ、期待値 G (1 - (1 - 1/G)^k) (G-1)/G。ノード内ではエキスパートごとに 1 つ</translation>
    </message>
    <message>
        <source>bf16 for {1}</source>
        <translation>{1} の代わりに bf16</translation>
    </message>
    <message>
        <source>bf16 is taken</source>
        <translation>bf16 とします</translation>
    </message>
    <message>
        <source>bf16 peak</source>
        <translation>bf16 ピーク</translation>
    </message>
    <message>
        <source>biases of Mamba-2's projections are not modelled</source>
        <translation>Mamba-2 の射影のバイアスはモデル化されていません</translation>
    </message>
    <message>
        <source>billion parameters/s</source>
        <translation>10 億パラメータ/秒</translation>
    </message>
    <message>
        <source>bits a value takes; it shrinks by k = bits of a value / rate. MVAPICH: MPIR_CVAR_ZFP_RATE</source>
        <translation>1 値のビット数。値のビット数 / レート = k 倍に縮みます。MVAPICH: MPIR_CVAR_ZFP_RATE</translation>
    </message>
    <message>
        <source>bits per value</source>
        <translation>1 値のビット数</translation>
    </message>
    <message>
        <source>blocks of inputs and weights at work and arriving</source>
        <translation>処理中と到着中の入力と重みのブロック</translation>
    </message>
    <message>
        <source>blocks of keys and values, all of them, or heads in the other split</source>
        <translation>キーとバリューのブロックか全体、または別の分け方のヘッド</translation>
    </message>
    <message>
        <source>blockwise: each its own shard; duplicated: gathered, each the whole matrix; distributed: each its part, with sums in every iteration. Megatron: --muon-tp-mode</source>
        <translation>blockwise: 各自の断片。duplicated: 集めて、各自が行列全体。distributed: 各自の部分を計算し、反復ごとに和を取る。Megatron: --muon-tp-mode</translation>
    </message>
    <message>
        <source>both kept</source>
        <translation>両方を保持</translation>
    </message>
    <message>
        <source>both measured, never together</source>
        <translation>両方を別々に測定</translation>
    </message>
    <message>
        <source>both or neither</source>
        <translation>両方とも書くか、どちらも書かないこと</translation>
    </message>
    <message>
        <source>brackets more than {1} deep</source>
        <translation>括弧の入れ子が {1} 段を超えています</translation>
    </message>
    <message>
        <source>bucket_MB, and unpipelined_buckets_MB where there is no pipeline</source>
        <translation>bucket_MB と、パイプラインがなければ unpipelined_buckets_MB</translation>
    </message>
    <message>
        <source>budget {1} s gives no time limit a job could have; 60 to 3600 s are usual</source>
        <translation>時間 {1} s からは、ジョブの制限時間を決められません。通常は 60 ～ 3600 s です</translation>
    </message>
    <message>
        <source>by the programme</source>
        <translation>プログラムの定めによる</translation>
    </message>
    <message>
        <source>by the width</source>
        <translation>幅に合わせる</translation>
    </message>
    <message>
        <source>bytes of the recipe x parameters a rank owns, of every rank of the node</source>
        <translation>レシピのバイト数 x ランクのパラメータ数。ノードの全ランク</translation>
    </message>
    <message>
        <source>bytes per logit of the stack, both passes</source>
        <translation>ソフトウェアのロジットあたりバイト数、両パス</translation>
    </message>
    <message>
        <source>bytes per parameter</source>
        <translation>バイト/パラメータ</translation>
    </message>
    <message>
        <source>bytes per parameter and micro-batch of the stack</source>
        <translation>ソフトウェアの、パラメータとマイクロバッチあたりのバイト数</translation>
    </message>
    <message>
        <source>bytes per parameter of the stack, over this rank's share</source>
        <translation>ソフトウェアのパラメータあたりバイト数、このランクの分</translation>
    </message>
    <message>
        <source>cannot be opened: {1}</source>
        <translation>開けません: {1}</translation>
    </message>
    <message>
        <source>cannot be read: {1}</source>
        <translation>読めません: {1}</translation>
    </message>
    <message>
        <source>cannot be written: {1}</source>
        <translation>書き込めません: {1}</translation>
    </message>
    <message>
        <source>cannot run it</source>
        <translation>実行できない</translation>
    </message>
    <message>
        <source>cannot: it is shorter than the difference</source>
        <translation>不可能：差より短い</translation>
    </message>
    <message>
        <source>capacity less states, over ranks and layers away</source>
        <translation>容量から状態を引き、ランク数と離れる層数で割ったもの</translation>
    </message>
    <message>
        <source>capped by the capacity</source>
        <translation>容量で制限済み</translation>
    </message>
    <message>
        <source>capping of scores is left out: it adds a few percent to fused attention, and kernels that cannot cap fall back to slower ones</source>
        <translation>スコアの上限処理は含めません。融合アテンションには数 % が加わり、上限処理のできないカーネルは遅いものに切り替わります</translation>
    </message>
    <message>
        <source>cdac exchanges tokens at full width and projects in every expert (DeepSeekMoE); dcca projects before and after the exchange with two matrices all experts share (BigMac)</source>
        <translation>cdac は元の幅でトークンを交換し各エキスパートで射影します (DeepSeekMoE)。dcca は全エキスパート共有の 2 行列で交換の前後に射影します (BigMac)</translation>
    </message>
    <message>
        <source>ceiling</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>changing takes</source>
        <translation>変更時間</translation>
    </message>
    <message>
        <source>chunks take no turns</source>
        <translation>チャンクは交代しません</translation>
    </message>
    <message>
        <source>clocks settle over ten minutes and more</source>
        <translation>クロックが落ち着くまで 10 分以上かかります</translation>
    </message>
    <message>
        <source>codec</source>
        <translation>コーデック</translation>
    </message>
    <message>
        <source>codec not in use</source>
        <translation>コーデック未使用</translation>
    </message>
    <message>
        <source>column {1} has no name</source>
        <translation>列 {1} に名前がありません</translation>
    </message>
    <message>
        <source>column {1} stands there twice</source>
        <translation>列 {1} が 2 回あります</translation>
    </message>
    <message>
        <source>common</source>
        <translation>一般</translation>
    </message>
    <message>
        <source>communication is faster</source>
        <translation>通信が速い</translation>
    </message>
    <message>
        <source>communication is slower</source>
        <translation>通信が遅い</translation>
    </message>
    <message>
        <source>compiled: logits and their gradient in 16 bit</source>
        <translation>コンパイル済み: 16 ビットのロジットとその勾配</translation>
    </message>
    <message>
        <source>complete step</source>
        <translation>個の完全なステップ</translation>
    </message>
    <message>
        <source>complete steps</source>
        <translation>個の完全なステップ</translation>
    </message>
    <message>
        <source>compressed attention</source>
        <translation>圧縮アテンション</translation>
    </message>
    <message>
        <source>compressed needs q_rank and out_rank of compressed_attention</source>
        <translation>compressed には compressed_attention の q_rank と out_rank が必要です</translation>
    </message>
    <message>
        <source>computation is faster</source>
        <translation>計算が速い</translation>
    </message>
    <message>
        <source>computation is slower</source>
        <translation>計算が遅い</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>計算</translation>
    </message>
    <message>
        <source>config.json or shapes of weights (*.json);;All files (*)</source>
        <translation>config.json または重みの形状 (*.json);;すべてのファイル (*)</translation>
    </message>
    <message>
        <source>configurations do not name the machine: {1} is taken</source>
        <translation>設定ファイルには計算機の指定がないため、{1} とします</translation>
    </message>
    <message>
        <source>context parallelism</source>
        <translation>コンテキスト並列</translation>
    </message>
    <message>
        <source>context parallelism by Ulysses</source>
        <translation>Ulysses によるコンテキスト並列</translation>
    </message>
    <message>
        <source>context ranks</source>
        <translation>コンテキストランク</translation>
    </message>
    <message>
        <source>copies go to experts</source>
        <translation>複製はエキスパートへ</translation>
    </message>
    <message>
        <source>copies reach 0.8 of it; {1}</source>
        <translation>コピーはその 0.8 に達します。{1}</translation>
    </message>
    <message>
        <source>costs more than it saves</source>
        <translation>節約より損失が大きい</translation>
    </message>
    <message>
        <source>counted</source>
        <translation>数えた</translation>
    </message>
    <message>
        <source>cuDNN comes first here</source>
        <translation>ここでは cuDNN が優先</translation>
    </message>
    <message>
        <source>cuDNN first</source>
        <translation>cuDNN を優先</translation>
    </message>
    <message>
        <source>cut off, skipped</source>
        <translation>途中で切れているため、読み飛ばしました</translation>
    </message>
    <message>
        <source>d</source>
        <translation>日</translation>
    </message>
    <message>
        <source>data are taken to arrive in time</source>
        <translation>データは間に合って届くものとします</translation>
    </message>
    <message>
        <source>data gradient</source>
        <translation>データ勾配</translation>
    </message>
    <message>
        <source>data parallel x micro-batch = {1}</source>
        <translation>データ並列 × マイクロバッチ = {1}</translation>
    </message>
    <message>
        <source>data parallel x micro-batch x micro-batches in turn = {1}</source>
        <translation>データ並列 x マイクロバッチ x 交代するマイクロバッチ数 = {1}</translation>
    </message>
    <message>
        <source>data parallel x micro-batch x pipeline stages = {1}, as an interleaved schedule needs</source>
        <translation>データ並列 × マイクロバッチ × パイプラインステージ = {1}（インターリーブスケジュールに必要）</translation>
    </message>
    <message>
        <source>data parallel x micro-batch x twice the pipeline stages = {1}, as this schedule needs</source>
        <translation>データ並列 x マイクロバッチ x パイプラインステージの 2 倍 = {1}（このスケジュールに必要）</translation>
    </message>
    <message>
        <source>data {1}</source>
        <translation>データ {1}</translation>
    </message>
    <message>
        <source>days</source>
        <translation>日</translation>
    </message>
    <message>
        <source>decides what small messages cost: tensor ranks, pipelines</source>
        <translation>テンソルランクやパイプラインの小さなメッセージの時間を決めます</translation>
    </message>
    <message>
        <source>decoding</source>
        <translation>復号</translation>
    </message>
    <message>
        <source>dense</source>
        <translation>密</translation>
    </message>
    <message>
        <source>dense attention for its sparse one</source>
        <translation>疎アテンションの代わりに密なアテンション</translation>
    </message>
    <message>
        <source>dense feed-forward blocks for its experts</source>
        <translation>エキスパートの代わりに密なフィードフォワード</translation>
    </message>
    <message>
        <source>derived</source>
        <translation>導出</translation>
    </message>
    <message>
        <source>device</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>device memory</source>
        <translation>デバイスメモリ</translation>
    </message>
    <message>
        <source>device_idle_W</source>
        <translation>device_idle_W</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>devices %1</source>
        <translation>デバイス %1</translation>
    </message>
    <message>
        <source>devices are let singly and charged for all the time they are held</source>
        <translation>デバイスは 1 基ずつ貸し出され、保持している間ずっと課金されます</translation>
    </message>
    <message>
        <source>devices only %1</source>
        <translation>デバイスのみ %1</translation>
    </message>
    <message>
        <source>devices per package × b_w R / (2 τ)</source>
        <translation>パッケージあたりデバイス数 × b_w R / (2 τ)</translation>
    </message>
    <message>
        <source>did not run</source>
        <translation>実行されず</translation>
    </message>
    <message>
        <source>difference of</source>
        <translation>差</translation>
    </message>
    <message>
        <source>difference of its terms</source>
        <translation>各項の差</translation>
    </message>
    <message>
        <source>dispatch and combine, forward and backward; again where the forward pass is recomputed</source>
        <translation>dispatch と combine、順伝播と逆伝播。順伝播の再計算時はもう一度</translation>
    </message>
    <message>
        <source>dispatch or combine, among {1} ranks</source>
        <translation>{1} ランク間の dispatch または combine</translation>
    </message>
    <message>
        <source>disturbed</source>
        <translation>外乱あり</translation>
    </message>
    <message>
        <source>disturbed, left out</source>
        <translation>外乱のため除外</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>収まらない</translation>
    </message>
    <message>
        <source>does not fit with %1 of %2 %3 (%4)</source>
        <translation>は %2 %3 中 %1 で、収まりません(%4)</translation>
    </message>
    <message>
        <source>does not fit, {1}</source>
        <translation>収まらない {1}</translation>
    </message>
    <message>
        <source>does not say which model ran: 'plimsoll import LOG SCRIPT --anchor-out FILE' makes a run of it, 'plimsoll estimate PLAN --anchor LOG' takes it as a run of PLAN</source>
        <translation>は、どのモデルが実行されたかを示していません。'plimsoll import LOG SCRIPT --anchor-out FILE' で実測した実行にするか、'plimsoll estimate PLAN --anchor LOG' で PLAN の実行とみなします</translation>
    </message>
    <message>
        <source>each is gone when its parameter is updated</source>
        <translation>それぞれ、パラメータの更新とともに消えます</translation>
    </message>
    <message>
        <source>each rank's share of the head has {1} columns, no multiple of 128, and products of odd sizes are slow; a table of {2} rows avoids it</source>
        <translation>各ランクのヘッドは {1} 列で、128 の倍数でないため行列積が遅くなります。{2} 行の表にすると避けられます</translation>
    </message>
    <message>
        <source>embedding mask, head input and what waits for its weight gradient</source>
        <translation>埋め込みのマスク、ヘッドの入力、重み勾配を待つもの</translation>
    </message>
    <message>
        <source>empty, expected a line with the names of the columns</source>
        <translation>空です。列の名前の行が必要です</translation>
    </message>
    <message>
        <source>empty, expected the id of a machine preset</source>
        <translation>空です。計算機プリセットの id が必要です</translation>
    </message>
    <message>
        <source>empty, expected what was streamed</source>
        <translation>空です。ストリームの対象が必要です</translation>
    </message>
    <message>
        <source>empty, expected where the time was published</source>
        <translation>空です。時間が公表された場所が必要です</translation>
    </message>
    <message>
        <source>encoding</source>
        <translation>符号化</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>エネルギー</translation>
    </message>
    <message>
        <source>engine "{1}" is neither a name in PATH nor an absolute path on one line</source>
        <translation>エンジン「{1}」は、PATH にある名前でも 1 行の絶対パスでもありません</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>推定</translation>
    </message>
    <message>
        <source>even; holmes_floor: by what clusters reach, floor(L r / sum r) on the faster ones (Holmes); min_max: so that the slowest stage, head included, is fastest; by_cost: in order, each taking its share of the products and what goes beyond it (nanotron). Megatron: --decoder-first-pipeline-num-layers</source>
        <translation>even: 均等。holmes_floor: クラスタの実測に応じ、速い側に floor(L r / sum r) 層 (Holmes)。min_max: ヘッドを含め最も遅いステージが最速になるように。by_cost: 順に行列積と残りを分担 (nanotron)。Megatron: --decoder-first-pipeline-num-layers</translation>
    </message>
    <message>
        <source>every field has a row</source>
        <translation>各項目に行があります</translation>
    </message>
    <message>
        <source>every query reads its own, as far as that takes longer than the products</source>
        <translation>クエリごとに自分のものを読み、積より長くかかる分</translation>
    </message>
    <message>
        <source>every rank to every other</source>
        <translation>全ランク間の直接通信</translation>
    </message>
    <message>
        <source>every_hop: each message of a ring is encoded and decoded, n - 1 times for a sum; once: encoded shares are exchanged, added and gathered, two encodings whatever n</source>
        <translation>every_hop: リングの各メッセージを符号化・復号し、総和では n - 1 回。once: 符号化した分担を交換・加算・収集し、n によらず 2 回</translation>
    </message>
    <message>
        <source>everything alike</source>
        <translation>すべて一様</translation>
    </message>
    <message>
        <source>examples and epochs give them</source>
        <translation>例とエポックから決まります</translation>
    </message>
    <message>
        <source>examples are padded, and no file says how long they are: state it. Until then rows are full</source>
        <translation>例は埋められますが、その長さを示すファイルがありません。示してください。それまでは行は満たされているとみなします</translation>
    </message>
    <message>
        <source>exchange_start_us of the stack, and messages x latency of each level</source>
        <translation>ソフトウェアの exchange_start_us と、各階層のメッセージ数 x 遅延</translation>
    </message>
    <message>
        <source>expected "model_type" (Hugging Face's config.json) or tensors as {1}</source>
        <translation>"model_type"（Hugging Face の config.json）か、{1} の形のテンソルが必要です</translation>
    </message>
    <message>
        <source>expected a JSON array of published runs</source>
        <translation>公表事例の JSON 配列が必要です</translation>
    </message>
    <message>
        <source>expected a batch and a sequence length above 0</source>
        <translation>0 より大きいバッチと系列長が必要です</translation>
    </message>
    <message>
        <source>expected a column {1}</source>
        <translation>列 {1} が必要です</translation>
    </message>
    <message>
        <source>expected a level of {1} devices, one node</source>
        <translation>{1} デバイス（1 ノード）の階層が必要です</translation>
    </message>
    <message>
        <source>expected a mixer with a state, beside another one or attention</source>
        <translation>状態を持つミキサーが必要です（別のミキサーまたはアテンションの隣）</translation>
    </message>
    <message>
        <source>expected a number of ranks like "4"</source>
        <translation>「4」のようなランク数が必要です</translation>
    </message>
    <message>
        <source>expected a sequence length like "2048"</source>
        <translation>「2048」のような系列長が必要です</translation>
    </message>
    <message>
        <source>expected a text on one line of at most 200 characters</source>
        <translation>200 文字以下の 1 行の文字列が必要です</translation>
    </message>
    <message>
        <source>expected a value from low to high</source>
        <translation>low から high までの値が必要です</translation>
    </message>
    <message>
        <source>expected a whole number</source>
        <translation>整数が必要です</translation>
    </message>
    <message>
        <source>expected at least one</source>
        <translation>少なくとも 1 つ必要です</translation>
    </message>
    <message>
        <source>expected at least one of {1} above 0</source>
        <translation>{1} の少なくとも 1 つが 0 より大きくなければなりません</translation>
    </message>
    <message>
        <source>expected at least {1}</source>
        <translation>{1} 以上でなければなりません</translation>
    </message>
    <message>
        <source>expected at most the months of an award</source>
        <translation>配分期間の月数以下でなければなりません</translation>
    </message>
    <message>
        <source>expected hour_of or per_node_hour: nothing says how node-hours become {1}s</source>
        <translation>hour_of または per_node_hour が必要です。ノード時間を {1} に換算する方法が示されていません</translation>
    </message>
    <message>
        <source>expected noughts before ones: layers with experts follow those without</source>
        <translation>0 が 1 より前にあるはずです。エキスパートのある層は、ない層の後に続きます</translation>
    </message>
    <message>
        <source>expected the columns nodes and step_s (or step_ms); beside them there may be {1}</source>
        <translation>列 nodes と step_s（または step_ms）が必要です。ほかに {1} を加えられます</translation>
    </message>
    <message>
        <source>expected {1}</source>
        <translation>{1}が必要です</translation>
    </message>
    <message>
        <source>expert order is cdac</source>
        <translation>エキスパート順序が cdac</translation>
    </message>
    <message>
        <source>expert ranks</source>
        <translation>エキスパートランク</translation>
    </message>
    <message>
        <source>expert {1}</source>
        <translation>エキスパート {1}</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>エキスパート</translation>
    </message>
    <message>
        <source>experts, and the model states none</source>
        <translation>エキスパートを持つ層ですが、モデルにエキスパートが書かれていません</translation>
    </message>
    <message>
        <source>explain</source>
        <translation>内訳</translation>
    </message>
    <message>
        <source>extra</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>failures take all of the time</source>
        <translation>障害がすべての時間を占めます</translation>
    </message>
    <message>
        <source>few nodes alone show a bound only, and the file system is shared</source>
        <translation>少数のノードでは下限しか分からず、ファイルシステムは共有です</translation>
    </message>
    <message>
        <source>fewer key and value heads than ranks: each rank holds one</source>
        <translation>キーとバリューのヘッドがランクより少ないため、各ランクが 1 つを持ちます</translation>
    </message>
    <message>
        <source>first and last stage add their gradients</source>
        <translation>最初と最後のステージが勾配を加算します</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>収まる</translation>
    </message>
    <message>
        <source>fits with %1 of %2 %3 (%4)</source>
        <translation>は %2 %3 中 %1 で収まります(%4)</translation>
    </message>
    <message>
        <source>fits, {1}</source>
        <translation>収まる {1}</translation>
    </message>
    <message>
        <source>fitted to</source>
        <translation>当てはめに使用</translation>
    </message>
    <message>
        <source>flags of the model</source>
        <translation>モデルの設定</translation>
    </message>
    <message>
        <source>folder "{1}" is no absolute path on one line: name it from / on, ~ is not expanded</source>
        <translation>フォルダ「{1}」は 1 行の絶対パスではありません。/ から指定してください。~ は展開されません</translation>
    </message>
    <message>
        <source>for another codec</source>
        <translation>別のコーデック用</translation>
    </message>
    <message>
        <source>for the gradients of inputs: the device's products read weights in one order, or scales belong to rows of values</source>
        <translation>入力の勾配のため。デバイスの行列積が重みを 1 つの順序でしか読まないか、スケールが値の行に属します</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>順伝播</translation>
    </message>
    <message>
        <source>forward again</source>
        <translation>もう一度順伝播</translation>
    </message>
    <message>
        <source>forward and backward of the stage</source>
        <translation>ステージの順伝播と逆伝播</translation>
    </message>
    <message>
        <source>forward and backward, as above</source>
        <translation>順伝播と逆伝播、上のとおり</translation>
    </message>
    <message>
        <source>found "{1}" as the step time, expected a number above 0, at most a hundred days</source>
        <translation>ステップ時間が「{1}」ですが、0 より大きく 100 日以下の数値が必要です</translation>
    </message>
    <message>
        <source>found a machine that no preset describes</source>
        <translation>どのプリセットにもない計算機です</translation>
    </message>
    <message>
        <source>found m before t, expected every m behind the last t</source>
        <translation>t の前に m があります。m はすべて最後の t の後に書きます</translation>
    </message>
    <message>
        <source>found m on {1} stages, expected all on one</source>
        <translation>m が {1} 個のステージにあります。すべて 1 つのステージに書きます</translation>
    </message>
    <message>
        <source>found no runs</source>
        <translation>実行がありません</translation>
    </message>
    <message>
        <source>found no runs, expected one a line below the header</source>
        <translation>実行がありません。ヘッダの下に 1 行に 1 つ必要です</translation>
    </message>
    <message>
        <source>found no steps, expected one a line below the header</source>
        <translation>ステップがありません。ヘッダの下に 1 行に 1 つ必要です</translation>
    </message>
    <message>
        <source>found none, expected a last level of {1} devices</source>
        <translation>ありませんが、{1} デバイスの最後の階層が必要です</translation>
    </message>
    <message>
        <source>found nothing, expected a header with step_s and a step a line</source>
        <translation>何もありません。step_s を含むヘッダと、1 行に 1 ステップが必要です</translation>
    </message>
    <message>
        <source>found the column {1}</source>
        <translation>列 {1} があります</translation>
    </message>
    <message>
        <source>found the columns {1}, expected one of {2}</source>
        <translation>列 {1} がありますが、{2} のいずれかが必要です</translation>
    </message>
    <message>
        <source>found {1}</source>
        <translation>{1} があります</translation>
    </message>
    <message>
        <source>found {1} E, expected one, at the start of the first stage</source>
        <translation>E が {1} 個あります。最初のステージの先頭に 1 個だけ書きます</translation>
    </message>
    <message>
        <source>found {1} L, expected one, at the end of the last stage</source>
        <translation>L が {1} 個あります。最後のステージの末尾に 1 個だけ書きます</translation>
    </message>
    <message>
        <source>found {1} layers, expected the {2} of num_hidden_layers</source>
        <translation>{1} 層ありますが、num_hidden_layers の {2} 層が必要です</translation>
    </message>
    <message>
        <source>found {1} letters, expected the {2} layers</source>
        <translation>文字が {1} 個ありますが、期待されるのは {2} 層分です</translation>
    </message>
    <message>
        <source>found {1} nodes, expected the machine's {2}</source>
        <translation>{1} ノードとありますが、計算機の {2} ノードでなければなりません</translation>
    </message>
    <message>
        <source>found {1} of {2} elements, expected at most {3} in all</source>
        <translation>{2} 要素のものが {1} 個ありますが、合計で {3} 以下でなければなりません</translation>
    </message>
    <message>
        <source>found {1} values, expected one for each of {2} columns</source>
        <translation>値が {1} 個ありますが、{2} 列それぞれに 1 個必要です</translation>
    </message>
    <message>
        <source>found {1}, expected ".": a run writes into the folder of its job only</source>
        <translation>{1} とありますが、"." が必要です。実行が書き込むのはジョブのフォルダだけです</translation>
    </message>
    <message>
        <source>found {1}, expected 1 to {2}</source>
        <translation>{1} があります。1 から {2} が必要です</translation>
    </message>
    <message>
        <source>found {1}, expected T01 to T12, F01 to F10 or text:NAME</source>
        <translation>{1} とありますが、T01 ～ T12、F01 ～ F10、または text:NAME が必要です</translation>
    </message>
    <message>
        <source>found {1}, expected a divisor of heads {2}</source>
        <translation>{1} とありますが、heads {2} の約数が必要です</translation>
    </message>
    <message>
        <source>found {1}, expected a divisor of the {2} attention heads</source>
        <translation>{1} とありますが、アテンションヘッド {2} の約数が必要です</translation>
    </message>
    <message>
        <source>found {1}, expected a log of plimsoll-engine with at least two steps, or a table with a column step_s</source>
        <translation>{1}ですが、2 ステップ以上の plimsoll-engine のログか、列 step_s のある表が必要です</translation>
    </message>
    <message>
        <source>found {1}, expected a multiple of {2}, the devices of the level before</source>
        <translation>{1} とありますが、1 つ前の階層のデバイス数 {2} の倍数でなければなりません</translation>
    </message>
    <message>
        <source>found {1}, expected a number from {2} to {3}</source>
        <translation>{1} とありますが、{2} から {3} までの数が必要です</translation>
    </message>
    <message>
        <source>found {1}, expected a whole number from {2} to {3}</source>
        <translation>{1} とありますが、{2} から {3} までの整数が必要です</translation>
    </message>
    <message>
        <source>found {1}, expected at least {2}, the devices of the level before</source>
        <translation>{1} とありますが、1 つ前の階層のデバイス数 {2} 以上でなければなりません</translation>
    </message>
    <message>
        <source>found {1}, expected at most the {2} experts</source>
        <translation>{1} とありますが、エキスパート数 {2} 以下でなければなりません</translation>
    </message>
    <message>
        <source>found {1}, expected at most the {2} layers</source>
        <translation>{1} とありますが、層数 {2} 以下でなければなりません</translation>
    </message>
    <message>
        <source>found {1}, expected heads x {2} to be at most {3}</source>
        <translation>{1} とありますが、heads x {2} は {3} 以下でなければなりません</translation>
    </message>
    <message>
        <source>found {1}, expected nodes x devices_per_node = {2}</source>
        <translation>{1} とありますが、nodes x devices_per_node = {2} でなければなりません</translation>
    </message>
    <message>
        <source>found {1}, expected nodes x devices_per_node to be at most {2}</source>
        <translation>{1} とありますが、nodes x devices_per_node は {2} 以下でなければなりません</translation>
    </message>
    <message>
        <source>found {1}, expected one of {2}</source>
        <translation>{1} とありますが、{2} のいずれかが必要です</translation>
    </message>
    <message>
        <source>found {1}, expected the id of a machine preset</source>
        <translation>{1} とありますが、計算機プリセットの id が必要です</translation>
    </message>
    <message>
        <source>found {1}, expected the letters E, t, m, L and |</source>
        <translation>{1} があります。使える文字は E、t、m、L、| です</translation>
    </message>
    <message>
        <source>found {1}, expected the letters of the kinds: {2}</source>
        <translation>{1} がありますが、期待されるのは種類の文字です: {2}</translation>
    </message>
    <message>
        <source>found {1}, expected the {2} layers of the list</source>
        <translation>{1} でしたが、一覧の {2} 層であるはずです</translation>
    </message>
    <message>
        <source>found {1}, expected year and month, as 2026-08</source>
        <translation>{1} とありますが、2026-08 のような年と月が必要です</translation>
    </message>
    <message>
        <source>found {1}, expected {2}</source>
        <translation>{1} とありますが、{2}が必要です</translation>
    </message>
    <message>
        <source>found {1}, expected {2}, as the preset says that {3} charges {4}s</source>
        <translation>{1} とありますが、{2} でなければなりません。プリセットでは {3} の課金単位は {4} です</translation>
    </message>
    <message>
        <source>found {1}, which a run of a plan may not ask of the engine</source>
        <translation>{1} とありますが、計画の実行がエンジンに求めてよいものではありません</translation>
    </message>
    <message>
        <source>found {1}, which has no points here</source>
        <translation>{1} とありますが、その測定点がここにありません</translation>
    </message>
    <message>
        <source>four copies of the largest matrix with an adapter, for the norms of its outputs</source>
        <translation>アダプターのある最大の行列の写し 4 つ、出力のノルムのため</translation>
    </message>
    <message>
        <source>four micro-batches</source>
        <translation>4 マイクロバッチ</translation>
    </message>
    <message>
        <source>fp16 for {1}</source>
        <translation>{1} の代わりに fp16</translation>
    </message>
    <message>
        <source>fp16 peak</source>
        <translation>fp16 ピーク</translation>
    </message>
    <message>
        <source>fp32 for {1}</source>
        <translation>{1} の代わりに fp32</translation>
    </message>
    <message>
        <source>fp32 keeps 16 bytes</source>
        <translation>fp32 は 16 バイト</translation>
    </message>
    <message>
        <source>fp32 peak</source>
        <translation>fp32 ピーク</translation>
    </message>
    <message>
        <source>fp32 products</source>
        <translation>fp32 の行列積</translation>
    </message>
    <message>
        <source>fp32 products in tf32</source>
        <translation>fp32 の行列積を tf32 で</translation>
    </message>
    <message>
        <source>fp32 residual factor</source>
        <translation>fp32 残差の係数</translation>
    </message>
    <message>
        <source>fp32, over all chunks</source>
        <translation>fp32、全チャンク</translation>
    </message>
    <message>
        <source>fp32, tf32, fp16, bf16, fp8</source>
        <translation>fp32, tf32, fp16, bf16, fp8</translation>
    </message>
    <message>
        <source>fp4 peak</source>
        <translation>fp4 ピーク</translation>
    </message>
    <message>
        <source>fp8 cast</source>
        <translation>fp8 変換</translation>
    </message>
    <message>
        <source>fp8 ceiling</source>
        <translation>fp8 上限</translation>
    </message>
    <message>
        <source>fp8 conversion factor</source>
        <translation>fp8 変換の係数</translation>
    </message>
    <message>
        <source>fp8 half area</source>
        <translation>fp8 半値面積</translation>
    </message>
    <message>
        <source>fp8 half depth</source>
        <translation>fp8 半値深さ</translation>
    </message>
    <message>
        <source>fp8 peak</source>
        <translation>fp8 ピーク</translation>
    </message>
    <message>
        <source>fp8 products</source>
        <translation>fp8 の行列積</translation>
    </message>
    <message>
        <source>fp8 scales</source>
        <translation>fp8 のスケール</translation>
    </message>
    <message>
        <source>fp8 storage</source>
        <translation>fp8 での保持</translation>
    </message>
    <message>
        <source>fp8 {1}, {2}</source>
        <translation>fp8 {1}、{2}</translation>
    </message>
    <message>
        <source>from line {1} on the script cannot be parsed</source>
        <translation>スクリプトは {1} 行目以降を解釈できません</translation>
    </message>
    <message>
        <source>from the steps of two tensor ranks</source>
        <translation>2 テンソルランクのステップから求めます</translation>
    </message>
    <message>
        <source>frozen weights in few bits</source>
        <translation>少ないビットで保持する固定した重み</translation>
    </message>
    <message>
        <source>full</source>
        <translation>全</translation>
    </message>
    <message>
        <source>full recomputation</source>
        <translation>全体の再計算</translation>
    </message>
    <message>
        <source>full recompute</source>
        <translation>全体を再計算</translation>
    </message>
    <message>
        <source>fused attention</source>
        <translation>融合アテンション</translation>
    </message>
    <message>
        <source>fused kernel: half of 4 s² d per head (causal), times the density of sparse attention, of documents, and of windows the stack's kernels skip, at the device's fused-attention rate; backward 2.5 times the work</source>
        <translation>融合カーネル: ヘッドごとに 4 s² d の半分（因果）に、疎なアテンション、文書、カーネルが飛ばす窓の密度を掛け、デバイスの融合アテンションの速度で割ります。逆伝播は 2.5 倍の仕事です</translation>
    </message>
    <message>
        <source>gain a step</source>
        <translation>ステップ利得</translation>
    </message>
    <message>
        <source>gathered weights kept</source>
        <translation>集めた重みを保持</translation>
    </message>
    <message>
        <source>gelu for {1}</source>
        <translation>{1} の代わりに gelu</translation>
    </message>
    <message>
        <source>given</source>
        <translation>指定あり</translation>
    </message>
    <message>
        <source>gradient_copy_bytes of the stack x parameters</source>
        <translation>ソフトウェアの gradient_copy_bytes x パラメータ数</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>勾配</translation>
    </message>
    <message>
        <source>gradients are not top-k</source>
        <translation>勾配が top-k でない</translation>
    </message>
    <message>
        <source>gradients under 6e-8 vanish and sums over 65,504 overflow: scale the loss dynamically and expect skipped steps</source>
        <translation>6e-8 未満の勾配は消え、65,504 を超える和はあふれます。損失を動的にスケーリングし、飛ばされるステップを見込んでください</translation>
    </message>
    <message>
        <source>h (a + 2 a_kv) d + a d h + 2 or 3 h f</source>
        <translation>h (a + 2 a_kv) d + a d h + 2 または 3 h f</translation>
    </message>
    <message>
        <source>h, or r h in BigMac's order</source>
        <translation>h、BigMac の順序では r h</translation>
    </message>
    <message>
        <source>had another batch than the last ones</source>
        <translation>最後のステップとバッチが異なる</translation>
    </message>
    <message>
        <source>half an interval is lost on average</source>
        <translation>平均して間隔の半分を失います</translation>
    </message>
    <message>
        <source>half area</source>
        <translation>半値面積</translation>
    </message>
    <message>
        <source>half depth</source>
        <translation>半値深さ</translation>
    </message>
    <message>
        <source>half length backward</source>
        <translation>逆伝播の半値長</translation>
    </message>
    <message>
        <source>half length forward</source>
        <translation>順伝播の半値長</translation>
    </message>
    <message>
        <source>half of 4 s² d per head (causal), times the density of sparse attention, of documents, and of windows the stack's kernels skip, at the rate of the stack's attention kernel on this device for this length and head width, less what a long run at the power limit takes from a kernel of that rate; backward 2.5 times the work</source>
        <translation>ヘッドごとに 4 s² d の半分（因果）に、疎なアテンション、文書、カーネルが飛ばす窓の密度を掛け、このデバイスでのソフトウェアのアテンションカーネルの、この長さとヘッド幅での速度で割ります。電力上限での長い実行がその速度のカーネルから奪う分を差し引きます。逆伝播は 2.5 倍の仕事です</translation>
    </message>
    <message>
        <source>half of both passes: what is kept is written meanwhile</source>
        <translation>両パスの半分: その間に保持分を書き込みます</translation>
    </message>
    <message>
        <source>half: 16 bits, as they are reduced; fp32: added up and reduced in fp32; both: 16 bits and an fp32 copy. Megatron: --main-grads-dtype, --grad-reduce-in-bf16</source>
        <translation>half: 16 ビットで、そのまま縮約します。fp32: fp32 で加算して縮約します。both: 16 ビットと fp32 の写し。Megatron: --main-grads-dtype、--grad-reduce-in-bf16</translation>
    </message>
    <message>
        <source>has no step that counts: {1}</source>
        <translation>には数えられるステップがありません: {1}</translation>
    </message>
    <message>
        <source>head and loss</source>
        <translation>ヘッドと損失</translation>
    </message>
    <message>
        <source>headroom</source>
        <translation>余裕</translation>
    </message>
    <message>
        <source>heads are not in any shape: state them ({1} wide in all)</source>
        <translation>ヘッド数は形状から分かりません。指定してください（全体の幅 {1}）</translation>
    </message>
    <message>
        <source>heads of 64 for heads of {1}</source>
        <translation>幅 {1} のヘッドの代わりに幅 64 のヘッド</translation>
    </message>
    <message>
        <source>heads of this rank</source>
        <translation>このランクのヘッド</translation>
    </message>
    <message>
        <source>holds logs of other short runs (%1), which would be taken for those of these: choose another folder</source>
        <translation>に別の短い実行のログ（%1）があり、これらのログとみなされてしまいます。別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>holds no step that a training framework prints, and no settings: expected a log of Megatron-LM, NeMo, torchtitan, DeepSpeed, Hugging Face Trainer or another that 'plimsoll import --help' names</source>
        <translation>には、学習フレームワークが出力するステップも設定もありません。Megatron-LM、NeMo、torchtitan、DeepSpeed、Hugging Face Trainer など、'plimsoll import --help' が挙げるもののログが必要です</translation>
    </message>
    <message>
        <source>holds something that is no calibration and is not overwritten: rename or remove it</source>
        <translation>較正ではない内容のため、上書きしません。名前を変えるか削除してください</translation>
    </message>
    <message>
        <source>holds {1} calibrations of this day: remove some</source>
        <translation>この日の較正が {1} 件あります。いくつか削除してください</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>ホストメモリ</translation>
    </message>
    <message>
        <source>host time per layer of the stack, backward twice forward, and of every matrix that ZeRO-3 gathers or reduces; slowest of the tensor ranks</source>
        <translation>スタックの層ごとのホスト時間（逆伝播は順伝播の 2 倍）と、ZeRO-3 が収集または縮約する行列ごとの時間。テンソルランクのうち最も遅いもの</translation>
    </message>
    <message>
        <source>hours</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>hours or days without the tokens of the run</source>
        <translation>トークン数のない時間または日数</translation>
    </message>
    <message>
        <source>how the source counts FLOP is not known</source>
        <translation>出典の FLOP の数え方が不明です</translation>
    </message>
    <message>
        <source>idle devices of its nodes are held and charged as well ({1} of {2}), {3} device-hours in all; where devices are let singly (machine.accounting.by_device) it would be {4}</source>
        <translation>使わないデバイスも確保され、課金されます ({2} 基中 {1} 基)。合計 {3} デバイス時間で、デバイスが 1 基ずつ貸し出される場合 (machine.accounting.by_device) は {4} です</translation>
    </message>
    <message>
        <source>in flight</source>
        <translation>処理中</translation>
    </message>
    <message>
        <source>in flight, but two</source>
        <translation>処理中のもの。2 つを除く</translation>
    </message>
    <message>
        <source>in flight, less those</source>
        <translation>処理中からそれらを引いたもの</translation>
    </message>
    <message>
        <source>including {1} for failures and checkpoints</source>
        <translation>うち障害とチェックポイントに {1}</translation>
    </message>
    <message>
        <source>including {1} for failures, checkpoints and {2}</source>
        <translation>うち障害、チェックポイント、{2}に {1}</translation>
    </message>
    <message>
        <source>inputs and output gradients of the products, Qi et al. 2024</source>
        <translation>行列積の入力と出力勾配、Qi et al. 2024</translation>
    </message>
    <message>
        <source>inputs of the products forward, gradients of their results backward; bytes an element by the fp8 recipe, times the stack's quantisation factor</source>
        <translation>順伝播では行列積の入力、逆伝播では結果の勾配。fp8 の設定による要素あたりバイト数 × ソフトウェアの量子化係数</translation>
    </message>
    <message>
        <source>inside one node</source>
        <translation>1 ノード内</translation>
    </message>
    <message>
        <source>is a log of {1} in which no step counts: {2}</source>
        <translation>は {1} のログですが、数えられるステップがありません: {2}</translation>
    </message>
    <message>
        <source>is larger than 64 MiB</source>
        <translation>64 MiB を超えています</translation>
    </message>
    <message>
        <source>is not a regular file</source>
        <translation>通常のファイルではありません</translation>
    </message>
    <message>
        <source>is not set in the script: taken as not set</source>
        <translation>スクリプトでは設定されていません。未設定とみなします</translation>
    </message>
    <message>
        <source>is not set in the script: {1} stands for it</source>
        <translation>スクリプトでは設定されていません。{1} とみなします</translation>
    </message>
    <message>
        <source>is read by the script and was not given with it: what it sets is not known</source>
        <translation>スクリプトが読み込みますが、一緒に渡されていません。そこで設定される値は分かりません</translation>
    </message>
    <message>
        <source>it cannot be read as it stands: only what the script makes of it is taken</source>
        <translation>このままでは読めません。スクリプトがこれから作る内容だけを取り入れます</translation>
    </message>
    <message>
        <source>it draws {1} with all of its facility, and {2} is the limit</source>
        <translation>施設全体で {1} を使い、上限は {2} です</translation>
    </message>
    <message>
        <source>it has {1}</source>
        <translation>使えるもの: {1}</translation>
    </message>
    <message>
        <source>it has {1}, and the plan needs {2}</source>
        <translation>この機械は {1}、計画には {2} 必要</translation>
    </message>
    <message>
        <source>it is not stated: one micro-batch of each data rank, {1} sequences</source>
        <translation>指定がないため、データランクごとに 1 マイクロバッチとします: {1} 系列</translation>
    </message>
    <message>
        <source>it says {1} devices, and what starts the program makes {2}: {2} are taken</source>
        <translation>デバイス数 {1} とありますが、プログラムの起動方法からは {2} です: {2} を採用します</translation>
    </message>
    <message>
        <source>it took longer than {1} s</source>
        <translation>{1} s を超えました</translation>
    </message>
    <message>
        <source>its PyTorch is older than 2.0</source>
        <translation>PyTorch が 2.0 より古いものです</translation>
    </message>
    <message>
        <source>its PyTorch sees no such device</source>
        <translation>PyTorch からそのデバイスが見えません</translation>
    </message>
    <message>
        <source>its Python cannot be started</source>
        <translation>Python を起動できません</translation>
    </message>
    <message>
        <source>its Python ended with exit code {1}</source>
        <translation>Python が終了コード {1} で終わりました</translation>
    </message>
    <message>
        <source>its Python has no PyTorch</source>
        <translation>Python に PyTorch がありません</translation>
    </message>
    <message>
        <source>its backward pass</source>
        <translation>その逆伝播</translation>
    </message>
    <message>
        <source>its conditions leave more ways open than are worked out: {1} were, and what the others change is not known</source>
        <translation>条件によって分かれる経路が、調べられる数を超えています。{1} 通りを調べました。残りの経路で何が変わるかは分かりません</translation>
    </message>
    <message>
        <source>its kernel was measured here</source>
        <translation>そのカーネルはここで実測済み</translation>
    </message>
    <message>
        <source>its log could not be written</source>
        <translation>ログを書けませんでした</translation>
    </message>
    <message>
        <source>its moments have 8 bits</source>
        <translation>モーメントは 8 ビットです</translation>
    </message>
    <message>
        <source>its parallel degrees need a multiple of {1}: {2} are taken</source>
        <translation>並列度には {1} の倍数が必要なため、{2} とします</translation>
    </message>
    <message>
        <source>its preset counts two GCDs as one device</source>
        <translation>プリセットが 2 つの GCD を 1 デバイスと数えています</translation>
    </message>
    <message>
        <source>its products and what is elementwise in it</source>
        <translation>その行列積と要素ごとの計算</translation>
    </message>
    <message>
        <source>its settings make a plan that cannot be computed: {1}</source>
        <translation>その設定から作った計画は計算できません: {1}</translation>
    </message>
    <message>
        <source>its start with loading, and its last checkpoint</source>
        <translation>読み込みを含む開始と、最後のチェックポイント</translation>
    </message>
    <message>
        <source>its step</source>
        <translation>そのステップ</translation>
    </message>
    <message>
        <source>its steps differ too much from each other: something disturbed it</source>
        <translation>ステップのばらつきが大きすぎます。何かに乱されました</translation>
    </message>
    <message>
        <source>job end</source>
        <translation>回のジョブ終了</translation>
    </message>
    <message>
        <source>job ends</source>
        <translation>回のジョブ終了</translation>
    </message>
    <message>
        <source>job lies inside a smaller level</source>
        <translation>ジョブは内側の階層に収まる</translation>
    </message>
    <message>
        <source>job {1} after job {2}: one job at a time (-j ID)</source>
        <translation>ジョブ {2} の後にジョブ {1} があります。一度に 1 つのジョブだけにしてください (-j ID)</translation>
    </message>
    <message>
        <source>kB</source>
        <translation>kB</translation>
    </message>
    <message>
        <source>kJ</source>
        <translation>kJ</translation>
    </message>
    <message>
        <source>kW</source>
        <translation>kW</translation>
    </message>
    <message>
        <source>kWh</source>
        <translation>kWh</translation>
    </message>
    <message>
        <source>k^2 per factor block, of whole matrices m^2 + n^2</source>
        <translation>因子ブロックあたり k^2、行列全体では m^2 + n^2</translation>
    </message>
    <message>
        <source>kept for the test</source>
        <translation>検証用</translation>
    </message>
    <message>
        <source>keys {1} wide are no whole number of groups of {2} heads</source>
        <translation>幅 {1} のキーは、ヘッド数 {2} の整数個のグループになりません</translation>
    </message>
    <message>
        <source>lacks host memory or drives</source>
        <translation>ホストメモリまたはドライブが不足</translation>
    </message>
    <message>
        <source>larger of</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>largest of its terms</source>
        <translation>各項の最大</translation>
    </message>
    <message>
        <source>largest of the ranks, normal numbers; their spread over the rows between two meetings: a step, a micro-batch where weights are gathered</source>
        <translation>ランクの最大値（正規分布）。ランクが揃うまでの行にわたるばらつき: 1 ステップ、重みを収集する場合は 1 マイクロバッチ</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>遅延</translation>
    </message>
    <message>
        <source>latent attention</source>
        <translation>潜在アテンション</translation>
    </message>
    <message>
        <source>latent keys, and the indexer's</source>
        <translation>潜在キーとインデクサーのキー</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>層</translation>
    </message>
    <message>
        <source>layer-wise: every matrix on one rank (Megatron: --optimizer dist_muon); gathered: ranks gather the matrices they own slices of (Moonlight); all-to-all: slices go to one rank and back (dion); redundant: every rank computes all (Megatron: --optimizer muon)</source>
        <translation>layer-wise: 各行列を 1 つのランクで（Megatron: --optimizer dist_muon）。gathered: 断片を持つランクが行列を集める（Moonlight）。all-to-all: 断片を 1 つのランクへ送り、戻す（dion）。redundant: どのランクも全部を計算（Megatron: --optimizer muon）</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>層</translation>
    </message>
    <message>
        <source>layers are shared out evenly</source>
        <translation>層は均等に分けます</translation>
    </message>
    <message>
        <source>layers at work and on their way from another tier</source>
        <translation>処理中の層と、別の階層から移動中の層</translation>
    </message>
    <message>
        <source>layers in flight but two, times what each sends, of every rank of the node</source>
        <translation>処理中の層数から 2 を引き、各層が送る量を掛けたもの。ノードの全ランク</translation>
    </message>
    <message>
        <source>layers of {1}</source>
        <translation>{1}の層</translation>
    </message>
    <message>
        <source>layers with experts</source>
        <translation>エキスパートのある層</translation>
    </message>
    <message>
        <source>layers with {1} are not modelled: products, memory and exchange of such a layer differ from those of attention. The list of its weights' names and shapes imports for its memory and cut</source>
        <translation>{1}の層はモデルに含まれていません。そうした層の行列積、メモリ、交換はアテンションと異なります。重みの名前と形状の一覧なら、メモリと分割のために取り込めます</translation>
    </message>
    <message>
        <source>layers {1} ({2})</source>
        <translation>層 {1}（{2}）</translation>
    </message>
    <message>
        <source>layers, and embedding or head on the end stages, over the tensor ranks</source>
        <translation>層と、両端のステージでは埋め込みまたはヘッド ÷ テンソルランク数</translation>
    </message>
    <message>
        <source>layers, ends, gathers, collectives and gaps as in the other parts</source>
        <translation>層、両端、収集、集団通信、隙間をほかの部分と同じように数えます</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>構成</translation>
    </message>
    <message>
        <source>layout and stack</source>
        <translation>構成とソフトウェア</translation>
    </message>
    <message>
        <source>layouts</source>
        <translation>構成</translation>
    </message>
    <message>
        <source>layouts of few steps have the range of all of them as interval, which holds the median with {1} rather than 95 %</source>
        <translation>ステップの少ない構成は全ステップの範囲を区間とし、中央値がそこに入る確率は 95 % ではなく {1} です</translation>
    </message>
    <message>
        <source>least model parallelism</source>
        <translation>モデル並列最小</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>指定なし</translation>
    </message>
    <message>
        <source>left to the program that reads the file</source>
        <translation>ファイルを読むプログラムに任されています</translation>
    </message>
    <message>
        <source>lengths of documents, lognormal, cut where sequences end</source>
        <translation>文書の長さは対数正規分布に従い、系列の終わりで切れます</translation>
    </message>
    <message>
        <source>less than the file system takes</source>
        <translation>ファイルシステムの上限より少ない値</translation>
    </message>
    <message>
        <source>letters of {1} pt are outside {2} to {3}</source>
        <translation>文字の大きさ {1} pt は {2}～{3} の範囲外です</translation>
    </message>
    <message>
        <source>letters, digits and _ . : @ + -</source>
        <translation>英数字と _ . : @ + -</translation>
    </message>
    <message>
        <source>letters, digits, dots, dashes and underscores</source>
        <translation>英数字、ドット、ハイフン、アンダースコア</translation>
    </message>
    <message>
        <source>lightning attention</source>
        <translation>ライトニングアテンション</translation>
    </message>
    <message>
        <source>line 1: no column {1}; what is read is {2}, or sstat likewise</source>
        <translation>1 行目: 列 {1} がありません。読めるのは {2}、または同様の sstat の出力です</translation>
    </message>
    <message>
        <source>line {1}</source>
        <translation>{1} 行目</translation>
    </message>
    <message>
        <source>line {1}, column {2}</source>
        <translation>{1} 行 {2} 文字目</translation>
    </message>
    <message>
        <source>line {1}: {2}</source>
        <translation>{1} 行目: {2}</translation>
    </message>
    <message>
        <source>link traffic, and drive traffic through a buffer</source>
        <translation>リンクの通信と、バッファを通るドライブの通信</translation>
    </message>
    <message>
        <source>list of stages, pipeline layout</source>
        <translation>ステージのリスト、パイプラインのレイアウト</translation>
    </message>
    <message>
        <source>logit_bytes of the stack</source>
        <translation>ソフトウェアの logit_bytes</translation>
    </message>
    <message>
        <source>longer than 65536 characters, which no line of the engine is</source>
        <translation>65536 文字を超えています。エンジンの行がこの長さになることはありません</translation>
    </message>
    <message>
        <source>longer than {1} bytes</source>
        <translation>{1} バイトを超えています</translation>
    </message>
    <message>
        <source>look-up, positions, dropout</source>
        <translation>参照、位置、ドロップアウト</translation>
    </message>
    <message>
        <source>loses {1}</source>
        <translation>{1} 損失</translation>
    </message>
    <message>
        <source>lossless ratio</source>
        <translation>可逆圧縮率</translation>
    </message>
    <message>
        <source>m %.0f, n %.0f, k %.0f</source>
        <translation>m %.0f, n %.0f, k %.0f</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>計算機</translation>
    </message>
    <message>
        <source>machine, date, job, software, scaling, gpu_utilisation</source>
        <translation>machine, date, job, software, scaling, gpu_utilisation</translation>
    </message>
    <message>
        <source>materialised writes the scores to memory, flash does not. Megatron: --use-flash-attn</source>
        <translation>materialised はスコアをメモリに書き、flash は書きません。Megatron: --use-flash-attn</translation>
    </message>
    <message>
        <source>max(compute, gather) + tax min(compute, gather), less compute, per layer or end and pass; a ring's waits count as compute</source>
        <translation>max(計算, 収集) + 負担 min(計算, 収集) から計算を引いたもの。層または両端とパスごと。リングの待ちは計算に含めます</translation>
    </message>
    <message>
        <source>may not fit</source>
        <translation>収まらないおそれ</translation>
    </message>
    <message>
        <source>may not fit with %1 of %2 %3 (%4)</source>
        <translation>は %2 %3 中 %1 で、収まらないおそれがあります(%4)</translation>
    </message>
    <message>
        <source>may not fit, {1}</source>
        <translation>収まらないおそれ {1}</translation>
    </message>
    <message>
        <source>mean over the layers of the stage</source>
        <translation>ステージの層の平均</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>測定</translation>
    </message>
    <message>
        <source>measured rate</source>
        <translation>実測速度</translation>
    </message>
    <message>
        <source>measured {1} a step ({2} to {3}, {4}), predicted {5}: {6}</source>
        <translation>実測 1 ステップ {1}（{2} ～ {3}、{4}）、予測 {5}: {6}</translation>
    </message>
    <message>
        <source>members reached over this level / n x payload</source>
        <translation>この階層を越えて届くメンバー数 / n x ペイロード</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>メモリ</translation>
    </message>
    <message>
        <source>memory by sequence length</source>
        <translation>系列長ごとのメモリ</translation>
    </message>
    <message>
        <source>memory of this sequence length</source>
        <translation>この系列長のメモリ</translation>
    </message>
    <message>
        <source>memory, {1}</source>
        <translation>メモリ、{1}</translation>
    </message>
    <message>
        <source>memory, {1} (rank {2})</source>
        <translation>メモリ、{1}（ランク {2}）</translation>
    </message>
    <message>
        <source>message less that size</source>
        <translation>メッセージからその大きさを引いたもの</translation>
    </message>
    <message>
        <source>met</source>
        <translation>充足</translation>
    </message>
    <message>
        <source>micro-batch {1}</source>
        <translation>マイクロバッチ {1}</translation>
    </message>
    <message>
        <source>middle half of the steps</source>
        <translation>ステップの中央の半分</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>指定なし</translation>
    </message>
    <message>
        <source>missing, expected a name of this row</source>
        <translation>ありません。この行の名前が必要です</translation>
    </message>
    <message>
        <source>missing, expected {1}</source>
        <translation>ありません。{1}が必要です</translation>
    </message>
    <message>
        <source>mixtures</source>
        <translation>MoE</translation>
    </message>
    <message>
        <source>model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>model alone: %1</source>
        <translation>モデルのみ: %1</translation>
    </message>
    <message>
        <source>model type {1} is not known: by its keys it is Llama under another name, and it is read so</source>
        <translation>モデルの種類 {1} は未知ですが、キーは Llama と同じです。別名の Llama として読み込みます</translation>
    </message>
    <message>
        <source>model type {1} is not known{2}, and by its key {3} it is not Llama under another name; known are {4}. The list of its weights' names and shapes imports too</source>
        <translation>モデルの種類 {1} は未知です{2}。キー {3} から、別名の Llama でもありません。既知の種類は {4} です。重みの名前と形状の一覧も読み込めます</translation>
    </message>
    <message>
        <source>momenta in bf16, or new weights, as the matrices are spread; sums among tensor ranks</source>
        <translation>bf16 のモーメンタム、または新しい重み（行列の分担による）。テンソルランクの間の和</translation>
    </message>
    <message>
        <source>moments are not kept in 16 bits</source>
        <translation>モーメントは 16 ビットで保持されません</translation>
    </message>
    <message>
        <source>money</source>
        <translation>費用</translation>
    </message>
    <message>
        <source>more problems like these follow</source>
        <translation>同様の問題がさらに続きます</translation>
    </message>
    <message>
        <source>more than 1e15 elements</source>
        <translation>要素数が 1e15 を超えています</translation>
    </message>
    <message>
        <source>more than {1} letters</source>
        <translation>文字が {1} 個を超えています</translation>
    </message>
    <message>
        <source>more than {1} rows</source>
        <translation>{1} 行を超えています</translation>
    </message>
    <message>
        <source>more than {1} tensors</source>
        <translation>テンソルが {1} 個を超えています</translation>
    </message>
    <message>
        <source>most runs of this software whose tensor ranks gather {1} MB at once and more were held up in every micro-batch</source>
        <translation>このソフトウェアでテンソルランクが一度に {1} MB 以上を集める実行の大半は、マイクロバッチごとに停滞しました</translation>
    </message>
    <message>
        <source>most runs of this software with a pipeline, fewer than {1} replicas across nodes and no ZeRO lost {2} in every micro-batch</source>
        <translation>このソフトウェアでパイプラインと、ノードをまたぐ {1} 未満のレプリカを ZeRO なしで使う実行の大半は、マイクロバッチごとに {2} を失いました</translation>
    </message>
    <message>
        <source>most runs of this software with {1} tensor ranks or more and a pipeline lost {2} in every micro-batch</source>
        <translation>このソフトウェアで {1} 以上のテンソルランクとパイプラインを使う実行の大半は、マイクロバッチごとに {2} を失いました</translation>
    </message>
    <message>
        <source>multiplied out</source>
        <translation>掛け合わせ</translation>
    </message>
    <message>
        <source>n^3 per factor block; inverse fourth roots 11 n^3</source>
        <translation>因子ブロックあたり n^3、4 乗根の逆は 11 n^3</translation>
    </message>
    <message>
        <source>nanotron prints three digits: a step is known to half a per cent at best</source>
        <translation>nanotron は 3 桁を出力します。ステップはよくても 0.5 % の精度でしか分かりません</translation>
    </message>
    <message>
        <source>nats per token</source>
        <translation>nat/トークン</translation>
    </message>
    <message>
        <source>nearest that are: {1}</source>
        <translation>最も近い倍数: {1}</translation>
    </message>
    <message>
        <source>nearest that can be: {1}</source>
        <translation>可能な最も近い値: {1}</translation>
    </message>
    <message>
        <source>nearest that do: {1}</source>
        <translation>割り切れる最も近い値: {1}</translation>
    </message>
    <message>
        <source>nearest that fit: {1}</source>
        <translation>収まる最も近い値: {1}</translation>
    </message>
    <message>
        <source>nearest that work: {1}</source>
        <translation>有効な最も近い値: {1}</translation>
    </message>
    <message>
        <source>needs attention that is not over latent vectors</source>
        <translation>潜在ベクトルによらないアテンションが必要です</translation>
    </message>
    <message>
        <source>needs head_dim and top_k</source>
        <translation>head_dim と top_k が必要です</translation>
    </message>
    <message>
        <source>needs latent attention</source>
        <translation>潜在アテンションが必要です</translation>
    </message>
    <message>
        <source>needs on</source>
        <translation>on が必要です</translation>
    </message>
    <message>
        <source>needs ranks that talk to each other, which this plan has not: stays as it was</source>
        <translation>通信し合うランクが必要ですが、この計画にはないため元のままです</translation>
    </message>
    <message>
        <source>needs {1} of {2} of {3}</source>
        <translation>{3} {2} に対して {1} が必要</translation>
    </message>
    <message>
        <source>network cards</source>
        <translation>ネットワークカード</translation>
    </message>
    <message>
        <source>never</source>
        <translation>終わらない</translation>
    </message>
    <message>
        <source>no</source>
        <translation>いいえ</translation>
    </message>
    <message>
        <source>no adapters are trained</source>
        <translation>アダプターを学習しません</translation>
    </message>
    <message>
        <source>no attention output projection is recognised in the first block</source>
        <translation>最初のブロックにアテンション出力の射影が見つかりません</translation>
    </message>
    <message>
        <source>no capacity</source>
        <translation>容量の指定なし</translation>
    </message>
    <message>
        <source>no chain is long enough: failures take all of the time</source>
        <translation>どれだけジョブを連ねても足りません。障害がすべての時間を占めます</translation>
    </message>
    <message>
        <source>no constant of this input with the name {1} stands before this one</source>
        <translation>この入力の {1} という名前の定数が、これより前にありません</translation>
    </message>
    <message>
        <source>no effect</source>
        <translation>影響なし</translation>
    </message>
    <message>
        <source>no embedding table is recognised</source>
        <translation>埋め込みの表が見つかりません</translation>
    </message>
    <message>
        <source>no energy counter is known to be readable there: all watts and joules stay the preset's</source>
        <translation>読み取れる電力量カウンタが知られていないため、電力と電力量はプリセットのままです</translation>
    </message>
    <message>
        <source>no experts</source>
        <translation>エキスパートがありません</translation>
    </message>
    <message>
        <source>no experts in the model</source>
        <translation>モデルにエキスパートなし</translation>
    </message>
    <message>
        <source>no failures, restarts, queue or evaluation</source>
        <translation>障害、再起動、待ち行列、評価を含まず</translation>
    </message>
    <message>
        <source>no feed-forward pair is recognised in the first block</source>
        <translation>最初のブロックにフィードフォワードの対が見つかりません</translation>
    </message>
    <message>
        <source>no file can be made in %1</source>
        <translation>%1 にファイルを作成できません</translation>
    </message>
    <message>
        <source>no file says how long to train: state the tokens. Until then a thousand steps stand in the plan: {1}</source>
        <translation>学習の長さを示すファイルがありません。トークン数を指定してください。それまでは 1000 ステップ分が計画に入ります: {1}</translation>
    </message>
    <message>
        <source>no file says how long to train: state the tokens. Until then as many as the model was published with stand in the plan: {1}</source>
        <translation>学習の長さがどのファイルにもありません。トークン数を指定してください。それまでは、公表時のモデルのトークン数を計画に置きます: {1}</translation>
    </message>
    <message>
        <source>no file says how long to train: state the tokens. Until then twenty for each active parameter stand in the plan: {1}</source>
        <translation>学習の長さがどのファイルにもありません。トークン数を指定してください。それまでは、活性パラメータあたり 20 トークンを計画に置きます: {1}</translation>
    </message>
    <message>
        <source>no file {1}*.json for {2} devices in the folder or the ones it holds</source>
        <translation>{2} デバイス用のファイル {1}*.json が、このフォルダとその中のフォルダにありません</translation>
    </message>
    <message>
        <source>no fine-tuning run was ever compared with this stack or on this device</source>
        <translation>このソフトウェアまたはこのデバイスでのファインチューニングの実行は、まだ照合されていません</translation>
    </message>
    <message>
        <source>no graph of attention and router</source>
        <translation>アテンションとルーターのグラフなし</translation>
    </message>
    <message>
        <source>no graph of the router alone</source>
        <translation>ルーターだけの CUDA グラフなし</translation>
    </message>
    <message>
        <source>no layer before the last {1} lends to layer {2}</source>
        <translation>最後の {1} 層より前に、層 {2} に貸し出す層がありません</translation>
    </message>
    <message>
        <source>no layer of the busiest stage has experts</source>
        <translation>最も忙しいステージにエキスパート層はありません</translation>
    </message>
    <message>
        <source>no layer with experts shares its weights</source>
        <translation>エキスパートを持つ層は重みを共有しません</translation>
    </message>
    <message>
        <source>no layout fits</source>
        <translation>収まる構成なし</translation>
    </message>
    <message>
        <source>no layout of the common choices draws so little power</source>
        <translation>一般的な選択肢の並列構成で、これほど電力の少ないものはない</translation>
    </message>
    <message>
        <source>no less power than measured</source>
        <translation>測定時以上の電力</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>制限なし</translation>
    </message>
    <message>
        <source>no limits published for this machine</source>
        <translation>この計算機の制限は公表されていません</translation>
    </message>
    <message>
        <source>no log of a calibration: no experiment is announced in it</source>
        <translation>較正のログではありません。実験の宣言がありません</translation>
    </message>
    <message>
        <source>no mixer with a state</source>
        <translation>状態を持つミキサーなし</translation>
    </message>
    <message>
        <source>no module's activations leave</source>
        <translation>モジュールごとに出るアクティベーションはありません</translation>
    </message>
    <message>
        <source>no number of nodes or devices</source>
        <translation>ノード数またはデバイス数として読めません</translation>
    </message>
    <message>
        <source>no numbered blocks are found in the names</source>
        <translation>名前の中に番号の付いたブロックが見つかりません</translation>
    </message>
    <message>
        <source>no numbers of the stack's kernel</source>
        <translation>このソフトウェアのカーネルの数値なし</translation>
    </message>
    <message>
        <source>no numbers of this cuDNN</source>
        <translation>この cuDNN の数値なし</translation>
    </message>
    <message>
        <source>no pipeline</source>
        <translation>パイプラインなし</translation>
    </message>
    <message>
        <source>no plan can be made of these shapes: {1}</source>
        <translation>これらの形状からは計画を作れません: {1}</translation>
    </message>
    <message>
        <source>no preferences are trained</source>
        <translation>選好を学習しません</translation>
    </message>
    <message>
        <source>no preset is called {1}: give the model's config.json with the files</source>
        <translation>{1} という名前のプリセットはありません。モデルの config.json を一緒に渡してください</translation>
    </message>
    <message>
        <source>no products are in tf32</source>
        <translation>tf32 の行列積なし</translation>
    </message>
    <message>
        <source>no progress: checkpoints and failures take all of the time</source>
        <translation>進みません: チェックポイントと障害がすべての時間を占めます</translation>
    </message>
    <message>
        <source>no progress: the watchdog ended the run</source>
        <translation>進まないため監視機能が実行を終えました</translation>
    </message>
    <message>
        <source>no published mixture of experts with this stack, device, number format and recipe was checked</source>
        <translation>このソフトウェア、デバイス、数値形式、設定での MoE の公表事例は照合されていません</translation>
    </message>
    <message>
        <source>no published run in {1} on {2} was checked</source>
        <translation>{2} での {1} の公表事例は照合されていません</translation>
    </message>
    <message>
        <source>no published run on {1} was checked</source>
        <translation>{1} での公表事例は照合されていません</translation>
    </message>
    <message>
        <source>no published run with the stack '{1}' on {2} was checked</source>
        <translation>{2} でのソフトウェア '{1}' の公表事例は照合されていません</translation>
    </message>
    <message>
        <source>no published run with the stack '{1}' was checked</source>
        <translation>ソフトウェア '{1}' の公表事例は照合されていません</translation>
    </message>
    <message>
        <source>no published run with {1} was checked</source>
        <translation>{1}を使う公表事例は照合されていません</translation>
    </message>
    <message>
        <source>no queue bin admits this many nodes</source>
        <translation>このノード数を受け付けるキューがありません</translation>
    </message>
    <message>
        <source>no queue bin admits this many nodes (policy of {1})</source>
        <translation>このノード数を受け付けるキューがありません（{1} の規程）</translation>
    </message>
    <message>
        <source>no queue or evaluation</source>
        <translation>待ち行列と評価を含まず</translation>
    </message>
    <message>
        <source>no ranks share a sequence</source>
        <translation>系列を分担するランクなし</translation>
    </message>
    <message>
        <source>no recompute</source>
        <translation>再計算なし</translation>
    </message>
    <message>
        <source>no room</source>
        <translation>容量不足</translation>
    </message>
    <message>
        <source>no run that trains adapters was ever compared with this stack or on this device</source>
        <translation>このソフトウェアまたはこのデバイスでアダプターを学習する実行は、まだ照合されていません</translation>
    </message>
    <message>
        <source>no second moment is kept</source>
        <translation>2 次モーメントは保持されません</translation>
    </message>
    <message>
        <source>no setting of a training framework is found in it that tells whose configuration it is. Read are those of {1}</source>
        <translation>どの学習フレームワークの設定かを示す項目が見つかりません。読み込めるのは {1} の設定です</translation>
    </message>
    <message>
        <source>no shared experts</source>
        <translation>共有エキスパートなし</translation>
    </message>
    <message>
        <source>no size of a data set is stated</source>
        <translation>データセットの大きさが示されていません</translation>
    </message>
    <message>
        <source>no state is sharded</source>
        <translation>状態をシャーディングしない</translation>
    </message>
    <message>
        <source>no step time, rate or hours: power, energy and memory are sanity checks</source>
        <translation>ステップ時間、速度、時間がありません。電力、電力量、メモリは妥当性の確認用です</translation>
    </message>
    <message>
        <source>no such cluster</source>
        <translation>そのクラスタなし</translation>
    </message>
    <message>
        <source>no such file, and no programme has this id; there are {1}</source>
        <translation>そのファイルはなく、その id のプログラムもありません。あるもの: {1}</translation>
    </message>
    <message>
        <source>no such level</source>
        <translation>該当する階層なし</translation>
    </message>
    <message>
        <source>no such module in the model</source>
        <translation>モデルにこのモジュールがありません</translation>
    </message>
    <message>
        <source>no summary: {1} kept</source>
        <translation>まとめの行がありません: {1} を保持</translation>
    </message>
    <message>
        <source>no tables beside adapters</source>
        <translation>アダプターとともに学習する表がありません</translation>
    </message>
    <message>
        <source>no temporary folder can be made</source>
        <translation>一時フォルダーを作れません</translation>
    </message>
    <message>
        <source>no value of this file has this pointer</source>
        <translation>このファイルに、このポインタの値はありません</translation>
    </message>
    <message>
        <source>no window</source>
        <translation>窓なし</translation>
    </message>
    <message>
        <source>node</source>
        <translation>ノード</translation>
    </message>
    <message>
        <source>node is short</source>
        <translation>ノード不足</translation>
    </message>
    <message>
        <source>node-hours</source>
        <translation>ノード時間</translation>
    </message>
    <message>
        <source>node_reduction_ms per node, bucket_crossing_ms per bucket and, under ZeRO-1, owner_broadcast_ms per owning rank and layer_handout_ms per layer and node of the stack</source>
        <translation>ソフトウェアの node_reduction_ms（ノードごと）、bucket_crossing_ms（バケットごと）、ZeRO-1 では owner_broadcast_ms（所有ランクごと）と layer_handout_ms（層とノードごと）</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>ノード</translation>
    </message>
    <message>
        <source>nodes {1}: {2} has 1 to {3}</source>
        <translation>ノード数 {1}: {2} で使えるのは 1 ～ {3} です</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>none any more when the optimizer runs</source>
        <translation>オプティマイザの実行時にはもうなし</translation>
    </message>
    <message>
        <source>none fits</source>
        <translation>収まるものなし</translation>
    </message>
    <message>
        <source>none of the listed modules is in such a layer</source>
        <translation>この層にはリストのモジュールがありません</translation>
    </message>
    <message>
        <source>none yet at the loss, where most is held</source>
        <translation>最も多く保持する損失の時点ではまだなし</translation>
    </message>
    <message>
        <source>none, lossless (MPC), zfp at a fixed rate, fp8 with a scale per block, or top-k, the largest values only</source>
        <translation>none: なし、lossless: 可逆 (MPC)、zfp: 固定レート、fp8: ブロックごとのスケール、top-k: 大きな値のみ</translation>
    </message>
    <message>
        <source>none: extrapolated</source>
        <translation>なし：外挿</translation>
    </message>
    <message>
        <source>norms are layer norms</source>
        <translation>正規化はレイヤー正規化</translation>
    </message>
    <message>
        <source>norms, residuals, activation function, router scores, times the stack's elementwise factor; rows of experts permuted there and back and their activation function, times its row traffic</source>
        <translation>正規化、残差、活性化関数、ルーターのスコア × 要素演算係数。エキスパートの行の往復の並べ替えと活性化関数 × 行の通信量係数</translation>
    </message>
    <message>
        <source>not context parallel</source>
        <translation>コンテキスト並列なし</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>対象外</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>有限でない</translation>
    </message>
    <message>
        <source>not known, and not in the plan; a log prints all with their defaults: {1}</source>
        <translation>未知のため計画に含まれません。ログは既定値も含めてすべての引数を出力します：{1}</translation>
    </message>
    <message>
        <source>not known: no endurance stated</source>
        <translation>不明: 耐久性の記載なし</translation>
    </message>
    <message>
        <source>not known; it is not in the plan</source>
        <translation>分からない設定なので、計画には入っていません</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未測定</translation>
    </message>
    <message>
        <source>not now</source>
        <translation>現在は不可</translation>
    </message>
    <message>
        <source>not one layer fits</source>
        <translation>1 層も収まらない</translation>
    </message>
    <message>
        <source>not scored</source>
        <translation>評価対象外</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>入力なし</translation>
    </message>
    <message>
        <source>not tensor parallel</source>
        <translation>テンソル並列なし</translation>
    </message>
    <message>
        <source>not ulysses_ring</source>
        <translation>ulysses_ring ではない</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>not used: %1</source>
        <translation>未使用: %1</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>まだ</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>nothing fits: {1} {2}</source>
        <translation>どれも収まらない：{1} は {2}</translation>
    </message>
    <message>
        <source>nothing hides the exchange</source>
        <translation>交換は隠れない</translation>
    </message>
    <message>
        <source>nothing is compressed</source>
        <translation>圧縮なし</translation>
    </message>
    <message>
        <source>nothing is recomputed</source>
        <translation>再計算なし</translation>
    </message>
    <message>
        <source>nothing is recomputed on the busiest stage: layout and stack</source>
        <translation>最も忙しいステージでは再計算しません: 構成とソフトウェア</translation>
    </message>
    <message>
        <source>nothing is sharded</source>
        <translation>シャーディングなし</translation>
    </message>
    <message>
        <source>nothing is written to drives, or their endurance is not stated</source>
        <translation>ドライブに書き込まないか、耐久性の記載がありません</translation>
    </message>
    <message>
        <source>nothing to do</source>
        <translation>何もしない</translation>
    </message>
    <message>
        <source>nothing where the kernel is fused</source>
        <translation>カーネルが融合されている場合は何もありません</translation>
    </message>
    <message>
        <source>nothing without a delayed update</source>
        <translation>遅延更新がなければなし</translation>
    </message>
    <message>
        <source>number {1} where {2} was due: lines are missing or out of order</source>
        <translation>番号 {2} のところに {1} があります。行が抜けているか、順序が違います</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>全 %1</translation>
    </message>
    <message>
        <source>of any kind, none with this stack or device</source>
        <translation>（すべて。ソフトウェアとデバイスが同じものはなし）</translation>
    </message>
    <message>
        <source>of blocks against a matrix as wide as the model</source>
        <translation>モデルの幅の行列に対するブロック</translation>
    </message>
    <message>
        <source>of d c normal numbers (Blom 1958), close to sqrt(2 ln(d c)); documents are not normal: an estimate</source>
        <translation>d c 個の正規乱数の最大（Blom 1958）、およそ sqrt(2 ln(d c))。文書は正規分布ではないため、見積もりです</translation>
    </message>
    <message>
        <source>of each device</source>
        <translation>各デバイス</translation>
    </message>
    <message>
        <source>of single answers; the passes over mismatched ones that KTO estimates a divergence with are not modelled</source>
        <translation>一つ一つの答えの選好です。KTO がダイバージェンスを見積もる、組み合わせを入れ替えた答えのパスはモデル化されていません</translation>
    </message>
    <message>
        <source>of the experts or of all others, whose optimizers step in turn</source>
        <translation>エキスパート、またはそれ以外のすべて。両者のオプティマイザは順に進みます</translation>
    </message>
    <message>
        <source>of the first steps of a start</source>
        <translation>開始後の最初のステップ</translation>
    </message>
    <message>
        <source>of the heaviest stage, shared by ZeRO; those that the CPUs update</source>
        <translation>最も重いステージのもの、ZeRO で分担。CPU が更新する分</translation>
    </message>
    <message>
        <source>of the layer whose gradient leaves for another tier</source>
        <translation>勾配が別の階層へ出る層</translation>
    </message>
    <message>
        <source>of the outermost level of the ring; nothing hides it</source>
        <translation>リングの最も外側の階層。隠れません</translation>
    </message>
    <message>
        <source>of the whole run, not scored</source>
        <translation>実行全体の値のため評価しません</translation>
    </message>
    <message>
        <source>of this rank's experts</source>
        <translation>このランクのエキスパート</translation>
    </message>
    <message>
        <source>of what may go</source>
        <translation>出せるものに対する割合</translation>
    </message>
    <message>
        <source>of which failures, job ends: %1; step %2</source>
        <translation>うち障害とジョブ終了: %1、ステップ %2</translation>
    </message>
    <message>
        <source>of which failures: %1</source>
        <translation>うち障害: %1</translation>
    </message>
    <message>
        <source>of which failures: %1; step %2</source>
        <translation>うち障害: %1、ステップ %2</translation>
    </message>
    <message>
        <source>off</source>
        <translation>オフ</translation>
    </message>
    <message>
        <source>offload of the layout</source>
        <translation>構成のオフロード</translation>
    </message>
    <message>
        <source>on</source>
        <translation>オン</translation>
    </message>
    <message>
        <source>on every tensor rank; sequence parallelism splits it</source>
        <translation>すべてのテンソルランクが保持し、シーケンス並列で分割される</translation>
    </message>
    <message>
        <source>on or off</source>
        <translation>オンまたはオフ</translation>
    </message>
    <message>
        <source>on the stage</source>
        <translation>ステージ</translation>
    </message>
    <message>
        <source>on the stage of the loss only</source>
        <translation>損失のあるステージのみ</translation>
    </message>
    <message>
        <source>one document a sequence</source>
        <translation>1 系列に 1 文書</translation>
    </message>
    <message>
        <source>one layer, whose gradient is reduced</source>
        <translation>勾配を縮約する 1 層</translation>
    </message>
    <message>
        <source>one message</source>
        <translation>1 メッセージ</translation>
    </message>
    <message>
        <source>one network throughout</source>
        <translation>ネットワークは 1 種類</translation>
    </message>
    <message>
        <source>one node</source>
        <translation>1 ノード</translation>
    </message>
    <message>
        <source>one of {1}</source>
        <translation>{1} のいずれか</translation>
    </message>
    <message>
        <source>one of {1} ranks of the node</source>
        <translation>ノードの {1} ランクのうち 1 つ</translation>
    </message>
    <message>
        <source>one per expert that lies beyond this level</source>
        <translation>この階層の外にあるエキスパートごとに 1 つ</translation>
    </message>
    <message>
        <source>one per kernel; per block in a ring</source>
        <translation>カーネルごとに 1 回。リングではブロックごと</translation>
    </message>
    <message>
        <source>one rank computes the whole of it</source>
        <translation>1 つのランクが全体を計算します</translation>
    </message>
    <message>
        <source>one replica</source>
        <translation>レプリカが 1 つ</translation>
    </message>
    <message>
        <source>one replica has nothing to reduce</source>
        <translation>レプリカ 1 つでは縮約がありません</translation>
    </message>
    <message>
        <source>one ring through all members</source>
        <translation>全メンバーを通る 1 つのリング</translation>
    </message>
    <message>
        <source>one stage sends nothing</source>
        <translation>ステージが 1 つなら送信はありません</translation>
    </message>
    <message>
        <source>one tensor rank</source>
        <translation>テンソルランクが 1 つです</translation>
    </message>
    <message>
        <source>one token ahead</source>
        <translation>予測は次の 1 トークンのみ</translation>
    </message>
    <message>
        <source>one token ahead for its further ones</source>
        <translation>先のトークンの代わりに次の 1 トークン</translation>
    </message>
    <message>
        <source>only fp8 products convert their input, expected none</source>
        <translation>入力を変換するのは fp8 の行列積だけです。none が必要です</translation>
    </message>
    <message>
        <source>only the language model is taken over; what encodes images or sound is left out</source>
        <translation>言語モデルだけを取り込みます。画像や音声を符号化する部分は含めません</translation>
    </message>
    <message>
        <source>operands and result once</source>
        <translation>オペランドと結果を 1 回ずつ</translation>
    </message>
    <message>
        <source>operation by operation: logits, softmax and two gradients in fp32, gradient</source>
        <translation>演算ごと: ロジット、softmax と fp32 の勾配 2 つ、勾配</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>オプティマイザ</translation>
    </message>
    <message>
        <source>ordered: ranks take nodes as they come, and cards of several families leave TCP for the whole job; holmes: whole stages to each cluster, gradients stay on its network, activations alone cross over</source>
        <translation>ordered: ランクは順にノードを取り、カードの種類が混ざるとジョブ全体が TCP になります。holmes: 各クラスタにステージ単位で置き、勾配はその中、アクティベーションだけが越えます</translation>
    </message>
    <message>
        <source>other programs took processor time while it ran</source>
        <translation>実行中に他のプログラムがプロセッサを使いました</translation>
    </message>
    <message>
        <source>other stages of unequal layers</source>
        <translation>層数の異なる別のステージ</translation>
    </message>
    <message>
        <source>over a split vocabulary, fused: logits and two fp32 buffers</source>
        <translation>語彙を分割し融合: ロジットと fp32 のバッファ 2 つ</translation>
    </message>
    <message>
        <source>over a split vocabulary, in place: logits and fp32 softmax</source>
        <translation>語彙を分割しその場で: ロジットと fp32 の softmax</translation>
    </message>
    <message>
        <source>over a split vocabulary: logits, a copy in fp32, the gradient</source>
        <translation>語彙を分割: ロジット、fp32 の写し、勾配</translation>
    </message>
    <message>
        <source>over all messages of this rank</source>
        <translation>このランクの全メッセージ</translation>
    </message>
    <message>
        <source>overlap share of the stack x two thirds of one micro-batch for reductions, a third for gathers of weights; the last bucket, or gradient_exposed, never hides, and hidden_reduction_tax of the rest is waited for, too</source>
        <translation>ソフトウェアの重ね合わせの割合 x 1 マイクロバッチの 2/3（縮約）、1/3（重みの収集）。最後のバケット、または gradient_exposed は隠れず、残りのうち hidden_reduction_tax の割合も待ちます</translation>
    </message>
    <message>
        <source>overlap share of the stack, per micro-batch</source>
        <translation>ソフトウェアの重ね合わせの割合、マイクロバッチごと</translation>
    </message>
    <message>
        <source>packed fp32 triangles, reduce-scatter (Osawa et al. 2019)</source>
        <translation>詰めた fp32 の三角行列、reduce-scatter (Osawa et al. 2019)</translation>
    </message>
    <message>
        <source>packed: documents share a sequence; otherwise a sequence of the batch is one of them, cut off at the sequence length. padding_free: none is padded; padded: each to that length; padded_to_longest: to the longest of its micro-batch. TRL: packing, padding_free; torchtune: dataset.packed</source>
        <translation>packed: 文書が系列を共有します。それ以外ではバッチの 1 系列が 1 つの文書で、系列長で切られます。padding_free: 何も埋めません。padded: それぞれその長さまで埋めます。padded_to_longest: マイクロバッチの最長のものまで埋めます。TRL: packing、padding_free。torchtune: dataset.packed</translation>
    </message>
    <message>
        <source>padded, of a tensor rank</source>
        <translation>パディング込み、1 テンソルランク分</translation>
    </message>
    <message>
        <source>paged optimizer</source>
        <translation>ページ化したオプティマイザー</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>パラメータ数</translation>
    </message>
    <message>
        <source>parts as measured</source>
        <translation>内訳が実測どおり</translation>
    </message>
    <message>
        <source>parts of the busiest pipeline stage</source>
        <translation>最も忙しいパイプラインステージの内訳</translation>
    </message>
    <message>
        <source>parts of the step</source>
        <translation>ステップの内訳</translation>
    </message>
    <message>
        <source>passes do not run in pairs</source>
        <translation>パスは並んで実行されません</translation>
    </message>
    <message>
        <source>passes over queries, keys, values and output, by the kernels' published times</source>
        <translation>カーネルの公表された時間による、クエリ、キー、バリュー、出力を通る回数</translation>
    </message>
    <message>
        <source>passes over queries, keys, values and output, more than the delta rule's by a factor that Nemotron 3 Nano's published steps set: no times of the kernels are published</source>
        <translation>クエリ、キー、バリュー、出力を通る回数。カーネルの時間が公表されていないため、デルタ則の回数に、Nemotron 3 Nano の公表されたステップから定めた係数を掛けたもの</translation>
    </message>
    <message>
        <source>passes x (n-1)/n x payload</source>
        <translation>パス数 x (n-1)/n x ペイロード</translation>
    </message>
    <message>
        <source>passes x payload</source>
        <translation>パス数 x ペイロード</translation>
    </message>
    <message>
        <source>pattern, hybrid, Mamba-2, letters</source>
        <translation>パターン、ハイブリッド、Mamba-2、文字</translation>
    </message>
    <message>
        <source>payload over message, k, as measured on the data</source>
        <translation>データで測ったペイロード / メッセージの比 k</translation>
    </message>
    <message>
        <source>payload over throughput, and the shortest kernels</source>
        <translation>ペイロード ÷ スループットと最短カーネル</translation>
    </message>
    <message>
        <source>pays after</source>
        <translation>回収時期</translation>
    </message>
    <message>
        <source>peak x ceiling x the stack's factor</source>
        <translation>ピーク x 上限 x ソフトウェアの係数</translation>
    </message>
    <message>
        <source>per 1,000 node-days</source>
        <translation>回/1,000 ノード日</translation>
    </message>
    <message>
        <source>per layer</source>
        <translation>層あたり</translation>
    </message>
    <message>
        <source>per layer two forward, two backward, two more when recomputed; one at each end</source>
        <translation>層あたり順伝播 2、逆伝播 2、再計算時はさらに 2。両端に 1 ずつ</translation>
    </message>
    <message>
        <source>per layer two pairs forward, two backward, two more when recomputed, and what gathering inputs again adds; half a pair forward and backward at each end</source>
        <translation>層あたり順伝播 2 組、逆伝播 2 組、再計算時はさらに 2 組と、入力を再び集める分。両端で順伝播と逆伝播に半組ずつ</translation>
    </message>
    <message>
        <source>per_expert sends a copy of a token to each of its experts, per_node one to each node that then hands it on to each, per_rank one to each node and rank. Megatron: --moe-token-dispatcher-type alltoall, or flex with DeepEP or HybridEP</source>
        <translation>per_expert はトークンの複製を各エキスパートに、per_node は各ノードに送ってノード内で配り、per_rank は各ノードと各ランクに送ります。Megatron: --moe-token-dispatcher-type alltoall、または DeepEP か HybridEP での flex</translation>
    </message>
    <message>
        <source>pipeline layout</source>
        <translation>パイプラインの構成</translation>
    </message>
    <message>
        <source>pipeline {1}</source>
        <translation>パイプライン {1}</translation>
    </message>
    <message>
        <source>plain attention for its latent one</source>
        <translation>潜在アテンションの代わりに通常のアテンション</translation>
    </message>
    <message>
        <source>plain attention for its layers with a state</source>
        <translation>状態のある層の代わりに通常のアテンション</translation>
    </message>
    <message>
        <source>plain: gpipe and 1f1b; interleaved: that, too, as Megatron; v: zb-v and dualpipe-v, too, as PyTorch; any: all, or not known</source>
        <translation>plain: gpipe と 1f1b。interleaved: それに加えて interleaved（Megatron）。v: さらに zb-v と dualpipe-v（PyTorch）。any: すべて、または不明</translation>
    </message>
    <message>
        <source>plans are of training; serving a model is another subject</source>
        <translation>計画の対象は学習です。モデルの提供は別の主題です</translation>
    </message>
    <message>
        <source>plans train on answers that are given; rewards and generated answers are not modelled</source>
        <translation>計画は与えられた答えで学習します。報酬と生成した答えはモデル化されていません</translation>
    </message>
    <message>
        <source>plimsoll-engine has no back end for {1}</source>
        <translation>plimsoll-engine には {1} のバックエンドがありません</translation>
    </message>
    <message>
        <source>plimsoll-engine needs compute capability 8.0, which {1} has not</source>
        <translation>plimsoll-engine には compute capability 8.0 が必要ですが、{1} はそれを満たしません</translation>
    </message>
    <message>
        <source>plimsoll-engine on that machine: an absolute path, or a name in its PATH</source>
        <translation>その計算機上の plimsoll-engine: 絶対パス、または PATH にある名前</translation>
    </message>
    <message>
        <source>plimsoll-engine, the micro-trainer, is neither beside this program nor in PATH. It is built where MPI is installed: on Debian and Ubuntu 'apt install libopenmpi-dev openmpi-bin libopenblas-openmp-dev', then build Plimsoll again. PLIMSOLL_ENGINE can name one that lies elsewhere.</source>
        <translation>小型トレーナー plimsoll-engine がこのプログラムの隣にも PATH にもありません。MPI があればビルドされます。Debian と Ubuntu では 'apt install libopenmpi-dev openmpi-bin libopenblas-openmp-dev' のあと Plimsoll をもう一度ビルドしてください。別の場所にあるものは PLIMSOLL_ENGINE で指定できます。</translation>
    </message>
    <message>
        <source>point was</source>
        <translation>点</translation>
    </message>
    <message>
        <source>points were</source>
        <translation>点</translation>
    </message>
    <message>
        <source>power</source>
        <translation>電力</translation>
    </message>
    <message>
        <source>power mean of its terms</source>
        <translation>各項のべき平均</translation>
    </message>
    <message>
        <source>precision is fp32</source>
        <translation>精度が fp32</translation>
    </message>
    <message>
        <source>precision is fp8</source>
        <translation>精度が fp8</translation>
    </message>
    <message>
        <source>precision is not fp32</source>
        <translation>精度が fp32 でない</translation>
    </message>
    <message>
        <source>precision is not fp8</source>
        <translation>精度が fp8 でない</translation>
    </message>
    <message>
        <source>precision recipe</source>
        <translation>精度の設定</translation>
    </message>
    <message>
        <source>precision recipe, and 16-bit gradients of the stack</source>
        <translation>精度の設定と、ソフトウェアの 16 ビット勾配</translation>
    </message>
    <message>
        <source>precision recipe, and optimizer_peak_bytes of the stack</source>
        <translation>精度の設定と、ソフトウェアの optimizer_peak_bytes</translation>
    </message>
    <message>
        <source>precision recipe, in the mean with those that the CPUs update</source>
        <translation>精度のレシピ。CPU が更新するものとの平均</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>予測</translation>
    </message>
    <message>
        <source>preset {1} has changed since this file was saved; using the values in this file</source>
        <translation>プリセット {1} は、このファイルの保存後に変わっています。このファイルの値を使います</translation>
    </message>
    <message>
        <source>preset {1} is not installed; using the values in this file</source>
        <translation>プリセット {1} は導入されていません。このファイルの値を使います</translation>
    </message>
    <message>
        <source>probes.json is not as it was written: its predictions may be later than the runs.</source>
        <translation>probes.json は書き出したときのままではありません。予測は実行より後のものかもしれません。</translation>
    </message>
    <message>
        <source>product of</source>
        <translation>積</translation>
    </message>
    <message>
        <source>product of its terms</source>
        <translation>各項の積</translation>
    </message>
    <message>
        <source>products have other scales</source>
        <translation>行列積のスケールが異なる</translation>
    </message>
    <message>
        <source>project</source>
        <translation>課題名</translation>
    </message>
    <message>
        <source>protocol {1} is newer than {2}, the newest that this Plimsoll reads</source>
        <translation>プロトコル {1} は、この Plimsoll が読める最新の {2} より新しいものです</translation>
    </message>
    <message>
        <source>published %1, predicted %2 (%3)</source>
        <translation>公表 %1、予測 %2（%3）</translation>
    </message>
    <message>
        <source>published run of all</source>
        <translation>公表事例全体</translation>
    </message>
    <message>
        <source>published run on this device or stack</source>
        <translation>このデバイスまたはソフトウェアの公表事例</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>キュー</translation>
    </message>
    <message>
        <source>quotes are not read: write values without commas</source>
        <translation>引用符は解釈しません。値をコンマなしで書いてください</translation>
    </message>
    <message>
        <source>quotient of</source>
        <translation>商</translation>
    </message>
    <message>
        <source>quotient of its terms</source>
        <translation>各項の商</translation>
    </message>
    <message>
        <source>ran again after a restart</source>
        <translation>再開後にもう一度実行された</translation>
    </message>
    <message>
        <source>range of the market</source>
        <translation>市場価格の範囲</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>ランク</translation>
    </message>
    <message>
        <source>ranks per node {1}: 1 to 4096 can be</source>
        <translation>ノードあたりのランク数 {1}: 1 ～ 4096 でなければなりません</translation>
    </message>
    <message>
        <source>rate / device power</source>
        <translation>速度 / デバイスの電力</translation>
    </message>
    <message>
        <source>read in the frozen format and written in 16 bits, in every pass</source>
        <translation>固定の形式で読み、16 ビットで書きます。パスごとに行います</translation>
    </message>
    <message>
        <source>read once more and written by columns, times the stack's quantisation factor</source>
        <translation>もう一度読み、列方向に書く、ソフトウェアの量子化の係数倍</translation>
    </message>
    <message>
        <source>read, and written as often as products want copies of them, in the recipe's format, once a step</source>
        <translation>ステップごとに 1 回、読み、行列積が必要とする写しの数だけレシピの形式で書く</translation>
    </message>
    <message>
        <source>reads and writes of norms, residuals, dropout, activation function; times the stack's elementwise factor</source>
        <translation>正規化、残差、ドロップアウト、活性化関数の読み書き × ソフトウェアの要素演算係数</translation>
    </message>
    <message>
        <source>recomputation by module</source>
        <translation>モジュールごとの再計算</translation>
    </message>
    <message>
        <source>recomputation of some layers</source>
        <translation>一部の層の再計算</translation>
    </message>
    <message>
        <source>recomputation of some layers alone</source>
        <translation>一部の層だけの再計算</translation>
    </message>
    <message>
        <source>recompute is not full</source>
        <translation>再計算が全体でない</translation>
    </message>
    <message>
        <source>recompute is not selective</source>
        <translation>再計算が選択的でない</translation>
    </message>
    <message>
        <source>recompute of {1}</source>
        <translation>{1} の再計算</translation>
    </message>
    <message>
        <source>recurrence needs heads, head_dim, key_heads and key_dim</source>
        <translation>recurrence には heads、head_dim、key_heads、key_dim が必要です</translation>
    </message>
    <message>
        <source>recurrent blocks (RG-LRU)</source>
        <translation>再帰ブロック (RG-LRU)</translation>
    </message>
    <message>
        <source>recurrent blocks (RWKV)</source>
        <translation>再帰ブロック (RWKV)</translation>
    </message>
    <message>
        <source>replicas</source>
        <translation>レプリカ</translation>
    </message>
    <message>
        <source>request/least</source>
        <translation>request/least</translation>
    </message>
    <message>
        <source>reserved by the allocator</source>
        <translation>アロケータが確保した量</translation>
    </message>
    <message>
        <source>reserved by the framework</source>
        <translation>フレームワークが予約した量</translation>
    </message>
    <message>
        <source>resolution {1} dpi is outside {2} to {3}</source>
        <translation>解像度 {1} dpi は {2}～{3} の範囲外です</translation>
    </message>
    <message>
        <source>result.jsonl, which then lies beside the script, is the whole result: import it.</source>
        <translation>スクリプトの隣にできる result.jsonl が結果のすべてです。取り込んでください。</translation>
    </message>
    <message>
        <source>rings nested level by level</source>
        <translation>階層ごとに入れ子のリング</translation>
    </message>
    <message>
        <source>routed experts over the expert-parallel and expert-tensor ranks</source>
        <translation>ルーティング対象のエキスパート ÷ エキスパート並列とエキスパートのテンソルランク数</translation>
    </message>
    <message>
        <source>row and column sums of Adafactor; factors of K-FAC or Shampoo, whose inverses are taken again, and of SOAP with their eigenvectors</source>
        <translation>Adafactor の行と列の和、K-FAC または Shampoo の因子 (逆行列は計算し直します)、SOAP の因子と固有ベクトル</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>rows + columns of every matrix, all of every vector (Shazeer and Stern 2018)</source>
        <translation>行列は行 + 列、ベクトルは全要素 (Shazeer and Stern 2018)</translation>
    </message>
    <message>
        <source>ruled out</source>
        <translation>規則で除外</translation>
    </message>
    <message>
        <source>run</source>
        <translation>件の実行</translation>
    </message>
    <message>
        <source>run held back on this machine</source>
        <translation>この計算機で検証用に除外した実行</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>件の実行</translation>
    </message>
    <message>
        <source>runs that you measured, as far as they are like this plan</source>
        <translation>あなたが実測した実行。この計画に似ている度合いに応じて効く</translation>
    </message>
    <message>
        <source>sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P</source>
        <translation>sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P</translation>
    </message>
    <message>
        <source>sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P &gt; energy.txt</source>
        <translation>sacct -j ID --format=JobID,Elapsed,NNodes,ConsumedEnergyRaw -P &gt; energy.txt</translation>
    </message>
    <message>
        <source>saves {1}</source>
        <translation>{1} 節約</translation>
    </message>
    <message>
        <source>scales norms, activations and residuals; from the steps of the layouts that fit</source>
        <translation>正規化、活性化関数、残差に掛かります。収まる構成のステップから求めます</translation>
    </message>
    <message>
        <source>schedule: all but those before the first backward pass and after the last forward pass of a stage</source>
        <translation>スケジュール: ステージの最初の逆伝播より前と最後の順伝播より後のものを除くすべて</translation>
    </message>
    <message>
        <source>scores and values as batched products over the heads; of sparse attention the share that is computed</source>
        <translation>スコアとバリューはヘッドごとのバッチ行列積。疎アテンションでは計算する割合</translation>
    </message>
    <message>
        <source>selective recomputation</source>
        <translation>選択的再計算</translation>
    </message>
    <message>
        <source>selective recomputation, Korthikanti et al. 2022</source>
        <translation>選択的再計算、Korthikanti et al. 2022</translation>
    </message>
    <message>
        <source>selective recompute</source>
        <translation>選択的に再計算</translation>
    </message>
    <message>
        <source>sequence parallel</source>
        <translation>シーケンス並列</translation>
    </message>
    <message>
        <source>sequence parallelism</source>
        <translation>シーケンス並列</translation>
    </message>
    <message>
        <source>sequence parallelism is off</source>
        <translation>シーケンス並列がオフ</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>set for Adam's 28 bytes per parameter, scaled to the recipe's</source>
        <translation>Adam のパラメータあたり 28 バイトでの値を、このレシピに換算</translation>
    </message>
    <message>
        <source>sets how long a checkpoint takes while nobody else writes</source>
        <translation>ほかに書き込みがないときのチェックポイントの時間を決めます</translation>
    </message>
    <message>
        <source>sets the energy of elementwise work</source>
        <translation>要素演算の電力量を決めます</translation>
    </message>
    <message>
        <source>sets the energy of every wait</source>
        <translation>待ちの電力量を決めます</translation>
    </message>
    <message>
        <source>sets the energy of exposed communication</source>
        <translation>露出した通信の電力量を決めます</translation>
    </message>
    <message>
        <source>sets the energy of products</source>
        <translation>行列積の電力量を決めます</translation>
    </message>
    <message>
        <source>sets the time between pipeline stages</source>
        <translation>パイプラインステージ間の時間を決めます</translation>
    </message>
    <message>
        <source>sets the time of attention of software that calls a library's kernel; measured where PyTorch is found</source>
        <translation>ライブラリのカーネルを呼ぶソフトウェアの、アテンションの時間を決めます。PyTorch が見つかる場合に測ります</translation>
    </message>
    <message>
        <source>sets the time of attention's gradients, likewise</source>
        <translation>同じく、アテンションの勾配の時間を決めます</translation>
    </message>
    <message>
        <source>sets the time of attention's gradients; of this software alone</source>
        <translation>アテンションの勾配の時間を決めます。このソフトウェアだけの値です</translation>
    </message>
    <message>
        <source>sets the time of attention, forward and recomputed; of this software alone, since others bring kernels of their own</source>
        <translation>アテンション(順伝播と再計算)の時間を決めます。他のソフトウェアは独自のカーネルを持つため、このソフトウェアだけの値です</translation>
    </message>
    <message>
        <source>sets the time of every layer's products</source>
        <translation>各層の行列積の時間を決めます</translation>
    </message>
    <message>
        <source>sets the time of gathered weights</source>
        <translation>集める重みの時間を決めます</translation>
    </message>
    <message>
        <source>sets the time of gradients and gathered weights</source>
        <translation>勾配と集める重みの時間を決めます</translation>
    </message>
    <message>
        <source>sets the time of norms, activations, residuals and the optimizer</source>
        <translation>正規化、活性化関数、残差、オプティマイザの時間を決めます</translation>
    </message>
    <message>
        <source>sets the time of sharded gradients</source>
        <translation>シャードした勾配の時間を決めます</translation>
    </message>
    <message>
        <source>sets the time of the update</source>
        <translation>更新の時間を決めます</translation>
    </message>
    <message>
        <source>sets the time of what is offloaded</source>
        <translation>オフロードの時間を決めます</translation>
    </message>
    <message>
        <source>settings that change neither time nor memory of a plan: {1}</source>
        <translation>計画の時間にもメモリにも影響しない設定: {1} 件</translation>
    </message>
    <message>
        <source>several files to choose from, keep one of them: {1}</source>
        <translation>候補のファイルが複数あります。1 つだけ残してください: {1}</translation>
    </message>
    <message>
        <source>several ranks need mpirun, which is not in PATH: on Debian and Ubuntu 'apt install openmpi-bin'. PLIMSOLL_MPIRUN can name one that lies elsewhere; a layout of one rank runs without.</source>
        <translation>複数ランクには mpirun が必要ですが PATH にありません。Debian と Ubuntu では 'apt install openmpi-bin' で入ります。別の場所にあるものは PLIMSOLL_MPIRUN で指定できます。1 ランクの構成なら不要です。</translation>
    </message>
    <message>
        <source>several stacks of blocks ({1}*, {2}*): the step of an encoder-decoder is not modelled, its memory and its cut are</source>
        <translation>ブロックの列が複数あります（{1}*、{2}*）。エンコーダ・デコーダのステップはモデルに含まれていません。メモリと分割は含まれています</translation>
    </message>
    <message>
        <source>shape of the model, or of the adapters</source>
        <translation>モデル、またはアダプターの形</translation>
    </message>
    <message>
        <source>sharded_efficiency of the stack</source>
        <translation>ソフトウェアの sharded_efficiency</translation>
    </message>
    <message>
        <source>sharding within groups</source>
        <translation>グループ内のシャーディング</translation>
    </message>
    <message>
        <source>share of one device when all send; × achieved fraction</source>
        <translation>全デバイスが送るときの 1 デバイスの分担 × 実効の割合</translation>
    </message>
    <message>
        <source>share of the values that is sent, each with a 4-byte index</source>
        <translation>送る値の割合。それぞれ 4 バイトの添字が付きます</translation>
    </message>
    <message>
        <source>share reached</source>
        <translation>実効率</translation>
    </message>
    <message>
        <source>short by {1}</source>
        <translation>{1} 不足</translation>
    </message>
    <message>
        <source>short convolutions</source>
        <translation>短い畳み込み</translation>
    </message>
    <message>
        <source>should be</source>
        <translation>本来の状態</translation>
    </message>
    <message>
        <source>simulated schedule with every stage's own times, of the stage that takes longest; the next step follows on at once</source>
        <translation>各ステージの時間で模擬したスケジュールのうち最も長いステージ。次のステップがすぐ続きます</translation>
    </message>
    <message>
        <source>simulated schedule with every stage's own times; (m + p - 1) tasks when all stages are equal</source>
        <translation>各ステージの時間で模擬したスケジュール。全ステージが等しければ (m + p - 1) タスク</translation>
    </message>
    <message>
        <source>sizes that differ from layer to layer</source>
        <translation>層ごとに異なる大きさ</translation>
    </message>
    <message>
        <source>slower: {1} x</source>
        <translation>所要時間 {1} 倍</translation>
    </message>
    <message>
        <source>slows products of few rows</source>
        <translation>行の少ない行列積を遅くします</translation>
    </message>
    <message>
        <source>slows products of narrow models and of tensor shares</source>
        <translation>狭いモデルやテンソル分割の行列積を遅くします</translation>
    </message>
    <message>
        <source>slows small products</source>
        <translation>小さな行列積を遅くします</translation>
    </message>
    <message>
        <source>smaller of two = -max(-a, -b)</source>
        <translation>2 つの小さい方 = -max(-a, -b)</translation>
    </message>
    <message>
        <source>soft maximum of</source>
        <translation>滑らかな最大</translation>
    </message>
    <message>
        <source>some releases of axolotl divided tokens a second by the steps between two lines: the bar goes before them</source>
        <translation>axolotl の一部の版は、1 秒あたりのトークンを 2 行の間のステップ数で割っていました。進捗バーを優先します</translation>
    </message>
    <message>
        <source>source</source>
        <translation>件の出典</translation>
    </message>
    <message>
        <source>sources</source>
        <translation>件の出典</translation>
    </message>
    <message>
        <source>sparse attention</source>
        <translation>疎アテンション</translation>
    </message>
    <message>
        <source>sparse attention that an indexer steers</source>
        <translation>インデクサによる疎アテンション</translation>
    </message>
    <message>
        <source>speed of devices</source>
        <translation>デバイスの速度</translation>
    </message>
    <message>
        <source>split by rule</source>
        <translation>規則による分割</translation>
    </message>
    <message>
        <source>split over the tensor ranks</source>
        <translation>テンソルランク間で分割</translation>
    </message>
    <message>
        <source>sqrt(bytes sent x half size x members entering together)</source>
        <translation>sqrt(送るバイト数 x 半値の大きさ x 同時に入るメンバー数)</translation>
    </message>
    <message>
        <source>stack</source>
        <translation>ソフトウェア</translation>
    </message>
    <message>
        <source>stack and device measured together</source>
        <translation>ソフトウェアとデバイスを一緒に測定</translation>
    </message>
    <message>
        <source>stack or device never measured</source>
        <translation>どちらかを測っていない</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>ステージ</translation>
    </message>
    <message>
        <source>stage {1} of one tensor rank</source>
        <translation>1 テンソルランクのステージ {1}</translation>
    </message>
    <message>
        <source>stage {1} of {2} takes {3} % longer than the mean of the stages, which wait for it; {4} % are for the kinds it holds more of, {5}</source>
        <translation>ステージ {1}（全 {2}）は全ステージの平均より {3} % 長くかかり、ほかのステージが待ちます。うち {4} % は、平均より多く持つ種類の層によります（{5}）</translation>
    </message>
    <message>
        <source>stages</source>
        <translation>ステージ</translation>
    </message>
    <message>
        <source>stages of unequal layers</source>
        <translation>層数の異なるステージ</translation>
    </message>
    <message>
        <source>stages that hold layers of the kind add their gradients</source>
        <translation>その種類の層を持つステージが勾配を足し合わせます</translation>
    </message>
    <message>
        <source>start, and steps x latency, of each level; {1}</source>
        <translation>各階層の開始と、段数 × 遅延。{1}</translation>
    </message>
    <message>
        <source>state-space blocks (Mamba)</source>
        <translation>状態空間ブロック (Mamba)</translation>
    </message>
    <message>
        <source>state-space blocks (Mamba-2)</source>
        <translation>状態空間ブロック (Mamba-2)</translation>
    </message>
    <message>
        <source>states and activations of all its ranks</source>
        <translation>全ランクの状態とアクティベーション</translation>
    </message>
    <message>
        <source>stays assumed</source>
        <translation>仮定のまま</translation>
    </message>
    <message>
        <source>stays the best</source>
        <translation>最良のまま</translation>
    </message>
    <message>
        <source>step</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>ステップ %1</translation>
    </message>
    <message>
        <source>step time</source>
        <translation>ステップ時間</translation>
    </message>
    <message>
        <source>step_s, step_time, seconds, step_ms, step_time_ms</source>
        <translation>step_s, step_time, seconds, step_ms, step_time_ms</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>ステップ</translation>
    </message>
    <message>
        <source>steps of layouts that fit</source>
        <translation>収まる構成のステップ</translation>
    </message>
    <message>
        <source>streaming memory</source>
        <translation>メモリのストリーム</translation>
    </message>
    <message>
        <source>streams that every layer predicts and corrects (AltUp)</source>
        <translation>各層が予測し補正するストリーム（AltUp）</translation>
    </message>
    <message>
        <source>strong scaling</source>
        <translation>強スケーリング</translation>
    </message>
    <message>
        <source>sum of</source>
        <translation>和</translation>
    </message>
    <message>
        <source>sum of its terms</source>
        <translation>各項の和</translation>
    </message>
    <message>
        <source>sum of the other parts</source>
        <translation>ほかの内訳の和</translation>
    </message>
    <message>
        <source>swiglu and geglu are gated: three matrices instead of two. Megatron: --swiglu</source>
        <translation>swiglu と geglu はゲート付きで、行列が 2 つでなく 3 つになります。Megatron: --swiglu</translation>
    </message>
    <message>
        <source>swiglu for {1}</source>
        <translation>{1} の代わりに swiglu</translation>
    </message>
    <message>
        <source>s² elements per head, read and written per operator, times the device's softmax factor</source>
        <translation>ヘッドあたり s² 要素を演算ごとに読み書き、デバイスの softmax 係数を掛ける</translation>
    </message>
    <message>
        <source>tab</source>
        <translation>タブ</translation>
    </message>
    <message>
        <source>taken</source>
        <translation>採用</translation>
    </message>
    <message>
        <source>tensor group leaves the node</source>
        <translation>テンソル群がノードを越える</translation>
    </message>
    <message>
        <source>tensor mode is not tesseract</source>
        <translation>テンソルモードが tesseract でない</translation>
    </message>
    <message>
        <source>tensor parallel x context parallel = {1}</source>
        <translation>テンソル並列 × コンテキスト並列 = {1}</translation>
    </message>
    <message>
        <source>tensor parallelism on a grid</source>
        <translation>格子状のテンソル並列</translation>
    </message>
    <message>
        <source>tensor ranks across nodes</source>
        <translation>ノードをまたぐテンソルランク</translation>
    </message>
    <message>
        <source>tensor ranks on grids</source>
        <translation>格子状のテンソルランク</translation>
    </message>
    <message>
        <source>tensor {1}</source>
        <translation>テンソル {1}</translation>
    </message>
    <message>
        <source>tf32 peak</source>
        <translation>tf32 ピーク</translation>
    </message>
    <message>
        <source>that of the window</source>
        <translation>ウィンドウと同じ</translation>
    </message>
    <message>
        <source>that recompute, the first of each chunk</source>
        <translation>再計算する層（各チャンクの先頭）</translation>
    </message>
    <message>
        <source>the GPipe schedule</source>
        <translation>GPipe スケジュール</translation>
    </message>
    <message>
        <source>the columns are those of no kind of operator; expected one of</source>
        <translation>どの種類の演算の列とも一致しません。次のいずれかが必要です</translation>
    </message>
    <message>
        <source>the current plan</source>
        <translation>現在の計画</translation>
    </message>
    <message>
        <source>the degrees multiply to more than 1e8 devices</source>
        <translation>並列度の積が 1e8 デバイスを超えています</translation>
    </message>
    <message>
        <source>the device</source>
        <translation>デバイス</translation>
    </message>
    <message>
        <source>the device or its driver failed</source>
        <translation>デバイスまたはドライバが故障しました</translation>
    </message>
    <message>
        <source>the devices do the update</source>
        <translation>デバイスが更新します</translation>
    </message>
    <message>
        <source>the embedding</source>
        <translation>埋め込み</translation>
    </message>
    <message>
        <source>the engine was given options it cannot use</source>
        <translation>エンジンに使えない指定が渡されました</translation>
    </message>
    <message>
        <source>the experts of this rank</source>
        <translation>このランクのエキスパート</translation>
    </message>
    <message>
        <source>the fewest whole nodes that hold one copy: {1}</source>
        <translation>1 つの複製が収まる最少のノード数とします: {1}</translation>
    </message>
    <message>
        <source>the file has {1} recipes; the first is taken</source>
        <translation>ファイルには {1} 個のレシピがあり、最初のものを使います</translation>
    </message>
    <message>
        <source>the files count epochs of a data set whose size they do not say: state its examples. Until then a thousand steps stand in the plan: {1}</source>
        <translation>ファイルはデータセットのエポックを数えていますが、その大きさを示していません。例の数を示してください。それまでは 1000 ステップが計画に入ります: {1}</translation>
    </message>
    <message>
        <source>the files count epochs of a data set whose size they do not say: state the tokens. Until then twenty for each active parameter stand in the plan: {1}</source>
        <translation>ファイルは、大きさの書かれていないデータセットのエポック数で指定しています。トークン数を指定してください。それまでは、活性パラメータあたり 20 トークンを計画に置きます: {1}</translation>
    </message>
    <message>
        <source>the files count pairs, and the plan counts their sequences, two of each</source>
        <translation>ファイルは対を数え、計画はその系列を対ごとに 2 本と数えます</translation>
    </message>
    <message>
        <source>the files do not say the batch: state --global-batch-size in a file of arguments, such as batch.args, and give it with them</source>
        <translation>バッチがファイルにありません。batch.args のような引数のファイルで --global-batch-size を指定し、一緒に渡してください</translation>
    </message>
    <message>
        <source>the files do not say the sequence length: state --seq-length in a file of arguments, such as length.args, and give it with them</source>
        <translation>系列長がファイルにありません。length.args のような引数のファイルで --seq-length を指定し、一緒に渡してください</translation>
    </message>
    <message>
        <source>the files do not say which model is trained: give its config.json with them, or state --num-layers, --hidden-size and --num-attention-heads in a file of arguments</source>
        <translation>どのモデルを学習するかがファイルにありません。モデルの config.json を一緒に渡すか、引数のファイルで --num-layers、--hidden-size、--num-attention-heads を指定してください</translation>
    </message>
    <message>
        <source>the files state a length that could not be read: state the tokens. Until then twenty for each active parameter stand in the plan: {1}</source>
        <translation>ファイルにある学習の長さを読み取れませんでした。トークン数を指定してください。それまでは、活性パラメータあたり 20 トークンを計画に置きます: {1}</translation>
    </message>
    <message>
        <source>the first interval after a start</source>
        <translation>開始後の最初の区間</translation>
    </message>
    <message>
        <source>the first steps of MaxText only hand work to the devices: they are short and do not count</source>
        <translation>MaxText の最初のステップはデバイスに仕事を渡すだけなので短く、数えません</translation>
    </message>
    <message>
        <source>the folder cannot be created</source>
        <translation>フォルダを作成できません</translation>
    </message>
    <message>
        <source>the font has no name that can be written</source>
        <translation>フォントの名前が書き込めるものではありません</translation>
    </message>
    <message>
        <source>the forward pass of the stage</source>
        <translation>ステージの順伝播</translation>
    </message>
    <message>
        <source>the grid's side x depth = {1}</source>
        <translation>格子の一辺 × 深さ = {1}</translation>
    </message>
    <message>
        <source>the largest quantised matrix, in 16 bits while a product reads it</source>
        <translation>最大の量子化した行列。積が読む間は 16 ビット</translation>
    </message>
    <message>
        <source>the last micro-batch's backward pass through the stages before it</source>
        <translation>前のステージを通る最後のマイクロバッチの逆伝播</translation>
    </message>
    <message>
        <source>the likely range ends at {1} of {2} {3}</source>
        <translation>推定範囲の上端は {2} {3} 中 {1} です</translation>
    </message>
    <message>
        <source>the log is not complete: {1}</source>
        <translation>ログが完全ではありません: {1}</translation>
    </message>
    <message>
        <source>the log says {1}, which is what ran</source>
        <translation>ログは {1} と述べており、実際に実行されたのはこちらです</translation>
    </message>
    <message>
        <source>the loop of line {1} hangs on what the script does not say: {2}; it is not entered</source>
        <translation>{1} 行目のループは、スクリプトに書かれていない {2} に左右されます。ループには入らないものとします</translation>
    </message>
    <message>
        <source>the loss is in one piece</source>
        <translation>損失は分割されていません</translation>
    </message>
    <message>
        <source>the loss is not finite</source>
        <translation>損失が有限でありません</translation>
    </message>
    <message>
        <source>the loss tells</source>
        <translation>損失から決まる</translation>
    </message>
    <message>
        <source>the machine's id {1} would be the name of a file, expected {2}</source>
        <translation>計算機の id {1} はファイル名になります。{2}が必要です</translation>
    </message>
    <message>
        <source>the mean, cut off at the sequence length</source>
        <translation>平均、系列長で切ったもの</translation>
    </message>
    <message>
        <source>the method has none</source>
        <translation>この手法にはありません</translation>
    </message>
    <message>
        <source>the method has none, which costs a step what probabilities cost that were computed before the run: the plan has these</source>
        <translation>この手法には参照モデルがなく、ステップの費用は、確率を実行前に計算した場合と同じです。計画はそれを採ります</translation>
    </message>
    <message>
        <source>the mixer's and the feed-forward block's products</source>
        <translation>ミキサーとフィードフォワードブロックの積</translation>
    </message>
    <message>
        <source>the mixer's and the feed-forward block's products, biases and norms, once</source>
        <translation>ミキサーとフィードフォワードブロックの積、バイアス、正規化を 1 回分</translation>
    </message>
    <message>
        <source>the model alone, times what was seen</source>
        <translation>モデルのみの値に、実測との比を掛けたもの</translation>
    </message>
    <message>
        <source>the model has learned positions for {1} tokens; longer sequences need a longer table</source>
        <translation>モデルの学習済み位置は {1} トークン分です。長い系列には長い表が必要です</translation>
    </message>
    <message>
        <source>the model is pre-trained</source>
        <translation>事前学習です</translation>
    </message>
    <message>
        <source>the model type's window where none is stated</source>
        <translation>記載がない場合の、この種類のモデルの窓</translation>
    </message>
    <message>
        <source>the model's kinds</source>
        <translation>モデルの種類の表</translation>
    </message>
    <message>
        <source>the model's own is taken: {1} tokens</source>
        <translation>モデル本来の値とします: {1} トークン</translation>
    </message>
    <message>
        <source>the name of a probe is that of a file</source>
        <translation>短い実行の名前はファイル名として使えるものでなければなりません</translation>
    </message>
    <message>
        <source>the next step, less what its own traffic takes (delayed update)</source>
        <translation>次のステップから、その通信時間を引いたもの（遅延更新）</translation>
    </message>
    <message>
        <source>the node that keeps most</source>
        <translation>最も多く持つノード</translation>
    </message>
    <message>
        <source>the node's drives</source>
        <translation>ノードのドライブ</translation>
    </message>
    <message>
        <source>the one computed and the one on its way</source>
        <translation>計算中のものと移動中のもの</translation>
    </message>
    <message>
        <source>the optimizer is not Muon</source>
        <translation>オプティマイザーが Muon ではありません</translation>
    </message>
    <message>
        <source>the optimizer is not SOAP</source>
        <translation>オプティマイザが SOAP ではありません</translation>
    </message>
    <message>
        <source>the optimizer keeps no factors</source>
        <translation>オプティマイザは因子を持たない</translation>
    </message>
    <message>
        <source>the optimizer keeps no moments</source>
        <translation>オプティマイザはモーメントを持ちません</translation>
    </message>
    <message>
        <source>the other half: it is read back</source>
        <translation>もう半分: 読み戻します</translation>
    </message>
    <message>
        <source>the other parts of one micro-batch and the gaps between kernels</source>
        <translation>1 マイクロバッチのほかの内訳とカーネル間の隙間</translation>
    </message>
    <message>
        <source>the peak FLOP/s of {1} (or the next number of devices that a layout can use)</source>
        <translation>{1} のピーク FLOP/s(またはレイアウトが使える次のデバイス数)</translation>
    </message>
    <message>
        <source>the pinned layout</source>
        <translation>固定した並列構成</translation>
    </message>
    <message>
        <source>the plan</source>
        <translation>計画</translation>
    </message>
    <message>
        <source>the plan fills its nodes</source>
        <translation>計画はノードを余さず使っています</translation>
    </message>
    <message>
        <source>the plan has no figures: it cannot be computed as it stands</source>
        <translation>計画に図がありません。現状では計算できません</translation>
    </message>
    <message>
        <source>the plan is not the one that was written: its fingerprint differs</source>
        <translation>書き込まれた計画と異なります。フィンガープリントが一致しません</translation>
    </message>
    <message>
        <source>the plan lists no modules</source>
        <translation>計画にモジュールのリストがありません</translation>
    </message>
    <message>
        <source>the plan's reference model is a copy of the one that is trained</source>
        <translation>計画の参照モデルは、学習するモデルの複製です</translation>
    </message>
    <message>
        <source>the present layout stays the best</source>
        <translation>現在の構成が最良のまま</translation>
    </message>
    <message>
        <source>the preset "{1}" is not the one this calibration started from any more; what was measured stays valid, what was not is the older preset's</source>
        <translation>プリセット「{1}」は、この較正の元になったものから変わっています。測定した値は有効なままで、測定していない値は以前のプリセットのものです</translation>
    </message>
    <message>
        <source>the preset that the script names</source>
        <translation>スクリプトが名指すプリセット</translation>
    </message>
    <message>
        <source>the preset {1}</source>
        <translation>プリセット {1}</translation>
    </message>
    <message>
        <source>the preset {1} has the same layers and widths; what no setting says is as it has it</source>
        <translation>プリセット {1} は層数と幅が同じです。設定にない値はこのプリセットに従います</translation>
    </message>
    <message>
        <source>the program reads {1}, which was not given: what it sets is not in the plan. Give it with the files</source>
        <translation>プログラムが読み込む {1} が渡されていません。その設定は計画に入っていません。ほかのファイルと一緒に渡してください</translation>
    </message>
    <message>
        <source>the remainder has to be below the modulus, {1}</source>
        <translation>余りは法 {1} より小さくなければなりません</translation>
    </message>
    <message>
        <source>the run needs more memory than there is</source>
        <translation>実行に必要なメモリが足りません</translation>
    </message>
    <message>
        <source>the run takes {1}; programmes rarely award time for more than a year, so this would take several awards</source>
        <translation>実行に {1} かかります。1 年を超えて時間を配分するプログラムはまれなので、複数回の配分が必要になります</translation>
    </message>
    <message>
        <source>the run was cancelled</source>
        <translation>実行がキャンセルされました</translation>
    </message>
    <message>
        <source>the same back, and the gradient of the table once</source>
        <translation>逆向きに同じ量と、表の勾配 1 回</translation>
    </message>
    <message>
        <source>the same with recomputation and padding counted</source>
        <translation>再計算と埋めたものも数えた同じもの</translation>
    </message>
    <message>
        <source>the same with recomputation counted</source>
        <translation>再計算を含めた同じ値</translation>
    </message>
    <message>
        <source>the same with the token copies this rank's experts work on</source>
        <translation>同じ式を、このランクのエキスパートが扱うトークンの複製に適用</translation>
    </message>
    <message>
        <source>the schedules {1}</source>
        <translation>スケジュール {1}</translation>
    </message>
    <message>
        <source>the script takes too many steps to work out: its end is not read</source>
        <translation>スクリプトを解釈する手順が多すぎるため、終わりの部分は読んでいません</translation>
    </message>
    <message>
        <source>the script writes this file, and it cannot be read: what it sets is not in the plan. State it, or give the file</source>
        <translation>スクリプトが書き出すこのファイルは読めません。その設定は計画に入っていません。設定を明示するか、ファイルを渡してください</translation>
    </message>
    <message>
        <source>the site's</source>
        <translation>サイトの既定</translation>
    </message>
    <message>
        <source>the software keeps both</source>
        <translation>ソフトウェアが両方を保持します</translation>
    </message>
    <message>
        <source>the spreadsheet cannot be made</source>
        <translation>表計算ファイルを作れません</translation>
    </message>
    <message>
        <source>the stack calls another kernel</source>
        <translation>ソフトウェアは別のカーネルを呼び出す</translation>
    </message>
    <message>
        <source>the stage</source>
        <translation>ステージ</translation>
    </message>
    <message>
        <source>the stage that holds most parameters; mean over the steps between two inversions</source>
        <translation>パラメータの最も多いステージ。2 回の逆行列計算の間のステップ平均</translation>
    </message>
    <message>
        <source>the stage that needs most, {1}</source>
        <translation>最も多く必要とするステージ、{1}</translation>
    </message>
    <message>
        <source>the tail of thousands of ranks does not show on a few</source>
        <translation>数千ランクの裾は少数のランクでは現れません</translation>
    </message>
    <message>
        <source>the time of a step</source>
        <translation>ステップの時間</translation>
    </message>
    <message>
        <source>the tokenizer has it: {1} entries are taken</source>
        <translation>語彙数はトークナイザが決めるため、{1} とします</translation>
    </message>
    <message>
        <source>the trainer fills it from its arguments</source>
        <translation>トレーナーが引数から補います</translation>
    </message>
    <message>
        <source>the update is not of all at once</source>
        <translation>更新は一度にすべてではありません</translation>
    </message>
    <message>
        <source>the whole run</source>
        <translation>実行全体</translation>
    </message>
    <message>
        <source>the whole step is one CUDA graph</source>
        <translation>ステップ全体が 1 つの CUDA グラフ</translation>
    </message>
    <message>
        <source>the winner</source>
        <translation>勝者</translation>
    </message>
    <message>
        <source>the {1} layers that the model has at least do not fit</source>
        <translation>このモデルに最低限必要な {1} 層が収まりません</translation>
    </message>
    <message>
        <source>their layers, 2 h² and three norms each; once where all depths share one</source>
        <translation>それぞれの層、2 h²、3 つの正規化。すべての深さが 1 つを共有する場合は 1 回</translation>
    </message>
    <message>
        <source>there are only {1} key and value heads, so each is held and computed by {2} ranks</source>
        <translation>キー・バリューヘッドは {1} 個しかなく、それぞれを {2} ランクが重複して保持・計算します</translation>
    </message>
    <message>
        <source>there is a copy in 16 bits</source>
        <translation>16 ビットの写しがあります</translation>
    </message>
    <message>
        <source>there is a pipeline</source>
        <translation>パイプラインあり</translation>
    </message>
    <message>
        <source>there is no python3, and PLIMSOLL_PYTHON names no other</source>
        <translation>python3 がなく、PLIMSOLL_PYTHON もほかのものを指していません</translation>
    </message>
    <message>
        <source>there is no script for {1}</source>
        <translation>{1} のスクリプトがありません</translation>
    </message>
    <message>
        <source>there is no table to write</source>
        <translation>書き出す表がありません</translation>
    </message>
    <message>
        <source>this build writes no spreadsheets: it was configured without libxlsxwriter</source>
        <translation>このビルドは libxlsxwriter なしで構成されたため、表計算ファイルを書き出しません</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>この計算機</translation>
    </message>
    <message>
        <source>this is a configuration of {1}, which is not read. State layers, widths, batch, sequence length and parallel degrees as arguments of Megatron-LM instead</source>
        <translation>これは {1} の設定で、読み込めません。代わりに、層数、幅、バッチ、系列長、並列度を Megatron-LM の引数として指定してください</translation>
    </message>
    <message>
        <source>this is a configuration of {1}, which is not read: plans have no reward models and generate no answers (PPO, GRPO). Nearest: preference training on answers that are given (DPO, KTO, ORPO), in the words of TRL, axolotl, LLaMA-Factory or torchtune</source>
        <translation>これは {1} の設定で、読み込めません。計画には報酬モデルがなく、答えを生成しません（PPO、GRPO）。最も近いもの: 与えられた答えによる選好の学習（DPO、KTO、ORPO）を TRL、axolotl、LLaMA-Factory、torchtune の言葉で</translation>
    </message>
    <message>
        <source>this model cannot be laid out so</source>
        <translation>このモデルはこの構成にできません</translation>
    </message>
    <message>
        <source>this plan</source>
        <translation>この計画</translation>
    </message>
    <message>
        <source>this value of {1} is not known</source>
        <translation>{1} のこの値は分かりません</translation>
    </message>
    <message>
        <source>three products of its scores of the keys chosen</source>
        <translation>選ばれたキーのスコアの 3 つの積</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>余裕なし</translation>
    </message>
    <message>
        <source>time counts from the start of a job; how long it waits is the site's to say</source>
        <translation>時間はジョブの開始から数えます。待ち時間は設置機関が知るものです</translation>
    </message>
    <message>
        <source>time limit {1} is above the {2} that {3} gives jobs of {4} nodes</source>
        <translation>制限時間 {1} は、{3} が {4} ノードのジョブに許す {2} を超えています</translation>
    </message>
    <message>
        <source>times</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>times like "{1}"</source>
        <translation>「{1}」のような時間</translation>
    </message>
    <message>
        <source>to</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>together with the head's product: their gradient in 16 bit</source>
        <translation>ヘッドの行列積と一体: 16 ビットの勾配</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>トークン</translation>
    </message>
    <message>
        <source>tokens / (sequences per step x sequence length), rounded up: {1} / ({2} x {3})</source>
        <translation>トークン数 /（1 ステップの系列数 × 系列長）の切り上げ: {1} / ({2} x {3})</translation>
    </message>
    <message>
        <source>tokens in a sequence</source>
        <translation>系列のトークン数</translation>
    </message>
    <message>
        <source>tokens x width of an exchanged token x bytes, times capacity or imbalance</source>
        <translation>トークン数 x 交換するトークンの幅 x バイト数 x 容量または不均衡</translation>
    </message>
    <message>
        <source>top-k density</source>
        <translation>top-k 密度</translation>
    </message>
    <message>
        <source>top-k keeps the gradients it did not send and adds them to the next step's, one buffer of gradients more</source>
        <translation>top-k で送らなかった勾配を保持して次のステップに加えます。勾配バッファが 1 つ増えます</translation>
    </message>
    <message>
        <source>torchtitan gathers keys and values or passes them round a ring. Nearest: context mode all_gather, ring.</source>
        <translation>torchtitan はキーとバリューを集めるか、リングで渡します。近い値: コンテキストのモード all_gather、ring。</translation>
    </message>
    <message>
        <source>torchtitan gathers weights again among all ranks, or keeps them. Nearest: secondary shard 0, 1.</source>
        <translation>torchtitan は重みを全ランクの間で集め直すか、保持します。最も近い値: 二次シャード 0、1。</translation>
    </message>
    <message>
        <source>torchtitan has GPipe, 1F1B, Interleaved1F1B, ZBVZeroBubble and DualPipeV. Nearest: 1f1b, zb-v.</source>
        <translation>torchtitan にあるのは GPipe、1F1B、Interleaved1F1B、ZBVZeroBubble、DualPipeV です。近いもの: 1f1b、zb-v。</translation>
    </message>
    <message>
        <source>torchtitan keeps 16 bytes per parameter, 12 with moments in bf16, or 8 all in 16 bits. Nearest: 8, 12, 16.</source>
        <translation>torchtitan はパラメータあたり 16 バイト、モーメントが bf16 の 12 バイト、またはすべて 16 ビットの 8 バイトを保持します。最も近い値: 8, 12, 16。</translation>
    </message>
    <message>
        <source>torchtitan recomputes in every layer. Nearest: recomputed layers 0.</source>
        <translation>torchtitan の再計算は全層で行われます。最も近い値: 再計算する層数 0。</translation>
    </message>
    <message>
        <source>torchtitan recomputes no list of modules. Nearest: core_attn alone.</source>
        <translation>torchtitan はモジュールのリストを再計算しません。最も近い値: core_attn のみ。</translation>
    </message>
    <message>
        <source>torchtitan scales no loss. Nearest: bf16.</source>
        <translation>torchtitan は損失をスケーリングしません。最も近い値: bf16。</translation>
    </message>
    <message>
        <source>torchtitan shards gradients with the optimizer's state (FSDP2). Nearest: ZeRO stage 0, 2, 3.</source>
        <translation>torchtitan は勾配をオプティマイザの状態とともに分割します (FSDP2)。最も近い値: ZeRO ステージ 0, 2, 3。</translation>
    </message>
    <message>
        <source>torchtitan shards over the ranks of a sequence. Nearest: ZeRO stage 2, 3, or context parallel 1.</source>
        <translation>torchtitan は 1 つの系列を受け持つランクにも状態を分割します。最も近い値: ZeRO ステージ 2, 3、またはコンテキスト並列 1。</translation>
    </message>
    <message>
        <source>torchtitan's file asks for no offloading here. Nearest: everything on the device.</source>
        <translation>ここで書く torchtitan のファイルはオフロードを指定しません。最も近い値: すべてをデバイスに置く。</translation>
    </message>
    <message>
        <source>torchtitan's file knows Adam and AdamW. Nearest: adam.</source>
        <translation>torchtitan のファイルが扱えるのは Adam と AdamW です。最も近い値: adam。</translation>
    </message>
    <message>
        <source>torchtitan's file names no layers that keep 16 bits. Nearest: 0 of them.</source>
        <translation>torchtitan のファイルでは、16 ビットのままの層を指定できません。最も近いもの: 0 層。</translation>
    </message>
    <message>
        <source>torchtitan's files name a model that its code defines: Llama 3 (8B, 70B, 405B), Qwen3, DeepSeek-V3 and Llama 4 Scout. This one it has not.</source>
        <translation>torchtitan のファイルは、torchtitan のコードが定義するモデルの名前を指定します: Llama 3（8B、70B、405B）、Qwen3、DeepSeek-V3、Llama 4 Scout。このモデルはありません。</translation>
    </message>
    <message>
        <source>torchtitan's float8 has one scale a tensor or a row, or MX's. Nearest: fp8 recipe tensorwise, rowwise, mxfp8.</source>
        <translation>torchtitan の float8 のスケールは、テンソルごと、行ごと、または MX のものです。最も近いもの: fp8 のレシピ tensorwise、rowwise、mxfp8。</translation>
    </message>
    <message>
        <source>torchtitan's layers per stage are equal here. Nearest: stages that divide the {1} layers.</source>
        <translation>ここでは torchtitan の各ステージの層数は等しくなります。最も近い値: {1} 層を割り切るステージ数。</translation>
    </message>
    <message>
        <source>torchtitan's shards span whole sequences. Nearest: shard group a multiple of context parallel {1}.</source>
        <translation>torchtitan の分割は系列全体にわたります。最も近い値: コンテキスト並列 {1} の倍数のシャードグループ。</translation>
    </message>
    <message>
        <source>torchtitan's tensor parallelism splits the sequence as well. Nearest: sequence parallel.</source>
        <translation>torchtitan のテンソル並列は系列も分割します。最も近い値: シーケンス並列。</translation>
    </message>
    <message>
        <source>torchtune counts only tokens that have a label: a step by its tokens a second may be shorter than it looks</source>
        <translation>torchtune はラベルのあるトークンだけを数えます。1 秒あたりのトークンから求めたステップは、実際より長く見えることがあります</translation>
    </message>
    <message>
        <source>traffic in the time of a layer's passes</source>
        <translation>層のパスの時間内の通信量</translation>
    </message>
    <message>
        <source>training waits for it</source>
        <translation>学習はその間待ちます</translation>
    </message>
    <message>
        <source>tree</source>
        <translation>木</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true または false</translation>
    </message>
    <message>
        <source>try %1</source>
        <translation>候補: %1</translation>
    </message>
    <message>
        <source>two data ranks</source>
        <translation>2 データランク</translation>
    </message>
    <message>
        <source>two tensor ranks</source>
        <translation>2 テンソルランク</translation>
    </message>
    <message>
        <source>unfused attention</source>
        <translation>非融合アテンション</translation>
    </message>
    <message>
        <source>unit of the rate</source>
        <translation>率の単位</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>不明</translation>
    </message>
    <message>
        <source>unknown column, ignored</source>
        <translation>未知の列のため、無視します</translation>
    </message>
    <message>
        <source>unknown ending; known: json, csv, svg, png, pdf</source>
        <translation>不明な拡張子です。使えるのは json、csv、svg、png、pdf です</translation>
    </message>
    <message>
        <source>unknown format "{1}"; known: pdf, svg, png, csv</source>
        <translation>不明な形式「{1}」。使えるもの: pdf, svg, png, csv</translation>
    </message>
    <message>
        <source>unknown key, ignored</source>
        <translation>未知のキーのため、無視します</translation>
    </message>
    <message>
        <source>unknown key, kept for saving</source>
        <translation>未知のキーです。保存時に残します</translation>
    </message>
    <message>
        <source>unknown preset {1}</source>
        <translation>プリセット {1} がありません</translation>
    </message>
    <message>
        <source>unknown: no factor of the grid is stated</source>
        <translation>不明：電力の排出係数が示されていません</translation>
    </message>
    <message>
        <source>unknown: no price of an hour is stated</source>
        <translation>不明: 1 時間の料金の記載なし</translation>
    </message>
    <message>
        <source>unknown: the operator published no share</source>
        <translation>不明：運用者が製造分の値を公表していません</translation>
    </message>
    <message>
        <source>unknown: the run does not end</source>
        <translation>不明：実行が終わりません</translation>
    </message>
    <message>
        <source>unsplit_stream_bytes x tokens x width x micro-batches in flight x (1 - 1/t)</source>
        <translation>unsplit_stream_bytes x トークン数 x 幅 x 処理中のマイクロバッチ数 x (1 - 1/t)</translation>
    </message>
    <message>
        <source>until the backward pass</source>
        <translation>逆伝播まで</translation>
    </message>
    <message>
        <source>until the end</source>
        <translation>終了まで</translation>
    </message>
    <message>
        <source>used of the device, as nvidia-smi shows it</source>
        <translation>nvidia-smi が示すデバイスの使用量</translation>
    </message>
    <message>
        <source>used of the whole device</source>
        <translation>デバイス全体の使用量</translation>
    </message>
    <message>
        <source>user</source>
        <translation>ユーザー</translation>
    </message>
    <message>
        <source>value</source>
        <translation>個の値</translation>
    </message>
    <message>
        <source>values</source>
        <translation>個の値</translation>
    </message>
    <message>
        <source>values and scales of the frozen format</source>
        <translation>固定の形式の値とスケール</translation>
    </message>
    <message>
        <source>vendor</source>
        <translation>ベンダー</translation>
    </message>
    <message>
        <source>version {1} is newer than {2}, the newest that this Plimsoll reads</source>
        <translation>版 {1} は、この Plimsoll が読める最新の {2} より新しいものです</translation>
    </message>
    <message>
        <source>vs plan</source>
        <translation>計画比</translation>
    </message>
    <message>
        <source>waiting on the network</source>
        <translation>ネットワーク待ち</translation>
    </message>
    <message>
        <source>warning: {1}</source>
        <translation>警告: {1}</translation>
    </message>
    <message>
        <source>weight gradient</source>
        <translation>重み勾配</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>重み</translation>
    </message>
    <message>
        <source>weights are kept in 16 bits alone, so small updates round to nothing (in bf16 those below 1/512 of a weight) unless they are rounded at random or the rest is carried on</source>
        <translation>重みを 16 ビットだけで保持するため、確率的に丸めるか、端数を持ち越さないかぎり、小さな更新は丸めで消えます (bf16 では重みの 1/512 未満)</translation>
    </message>
    <message>
        <source>weights are not sharded</source>
        <translation>重みはシャーディングされていません</translation>
    </message>
    <message>
        <source>weights, master weights, moments; no gradients</source>
        <translation>重み、マスター重み、モーメント。勾配は含みません</translation>
    </message>
    <message>
        <source>what a product hides of an all-reduce, beside what the plan's software is taken to hide</source>
        <translation>行列積が all-reduce を隠す割合。計画のソフトウェアで想定する値と並べます</translation>
    </message>
    <message>
        <source>what a rank has of the buffer here</source>
        <translation>ここで 1 ランクが持つバッファの分</translation>
    </message>
    <message>
        <source>what came back cannot be read</source>
        <translation>返ってきた内容を読めません</translation>
    </message>
    <message>
        <source>what comes up</source>
        <translation>上る量</translation>
    </message>
    <message>
        <source>what does: {1}</source>
        <translation>併用できるもの: {1}</translation>
    </message>
    <message>
        <source>what failures cost draws as much power as training</source>
        <translation>障害で失う時間も学習と同じ電力を消費します</translation>
    </message>
    <message>
        <source>what goes down</source>
        <translation>下る量</translation>
    </message>
    <message>
        <source>what is: {1}</source>
        <translation>扱えるもの: {1}</translation>
    </message>
    <message>
        <source>what one layer keeps that is not recomputed, beyond what others have released</source>
        <translation>再計算しない 1 層が保持する分から、ほかが解放した分を引いたもの</translation>
    </message>
    <message>
        <source>what the line says</source>
        <translation>行の種類</translation>
    </message>
    <message>
        <source>what the module stores, in the mean over the layers of the stage</source>
        <translation>モジュールが保持するもの。ステージの層の平均</translation>
    </message>
    <message>
        <source>what the runs take</source>
        <translation>実行に必要な量</translation>
    </message>
    <message>
        <source>what top-k left out, until the next step</source>
        <translation>top-k が残したもの（次のステップまで）</translation>
    </message>
    <message>
        <source>what was measured</source>
        <translation>測定したもの</translation>
    </message>
    <message>
        <source>what works: {1}</source>
        <translation>使えるもの: {1}</translation>
    </message>
    <message>
        <source>what {1} does besides is the preset {2}</source>
        <translation>{1} のその他の動作はプリセット {2} に従います</translation>
    </message>
    <message>
        <source>what {1}*.json holds</source>
        <translation>{1}*.json の内容</translation>
    </message>
    <message>
        <source>when a layer's gradient is shared out, after the logits are gone</source>
        <translation>層の勾配の分配時、ロジットの解放後</translation>
    </message>
    <message>
        <source>when the backward pass is at its last layer, beside the gradients that stay</source>
        <translation>逆伝播が最後の層に達した時点。残る勾配とともに</translation>
    </message>
    <message>
        <source>when the first layer is back, after the logits are gone</source>
        <translation>最初の層を計算し直した時点、ロジットの解放後</translation>
    </message>
    <message>
        <source>when the head's gradient is shared out, after the logits are gone</source>
        <translation>ヘッドの勾配の分配時、ロジットの解放後</translation>
    </message>
    <message>
        <source>when the loss is computed, before anything is recomputed</source>
        <translation>損失の計算時、再計算の前</translation>
    </message>
    <message>
        <source>when the optimizer runs, after all activations are gone</source>
        <translation>オプティマイザの実行時、全アクティベーションの解放後</translation>
    </message>
    <message>
        <source>which run of the plan is predicted</source>
        <translation>計画のどの実行の予測か</translation>
    </message>
    <message>
        <source>which run of the plan it is</source>
        <translation>計画のどの実行か</translation>
    </message>
    <message>
        <source>who else uses the network, and how its routes adapt, differs from hour to hour</source>
        <translation>ネットワークの利用者と経路の変化は時間ごとに異なります</translation>
    </message>
    <message>
        <source>whole nodes are charged for all the time they are held</source>
        <translation>確保している間、ノード全体に課金されます</translation>
    </message>
    <message>
        <source>with tensor parallel 1 the framework switches it off: so does the plan</source>
        <translation>テンソル並列が 1 のとき、フレームワークはこれを無効にします。計画でも同様です</translation>
    </message>
    <message>
        <source>with this stack on this device</source>
        <translation>（ソフトウェアとデバイスが同じもの）</translation>
    </message>
    <message>
        <source>with this stack or this device</source>
        <translation>（ソフトウェアまたはデバイスが同じもの）</translation>
    </message>
    <message>
        <source>with this stack, device, number format and reach</source>
        <translation>（ソフトウェア、デバイス、数値形式、規模が同じもの）</translation>
    </message>
    <message>
        <source>without a switch it is fp32</source>
        <translation>スイッチがなければ fp32 です</translation>
    </message>
    <message>
        <source>without end</source>
        <translation>終わらない</translation>
    </message>
    <message>
        <source>without failures and checkpoints</source>
        <translation>障害とチェックポイントを含まず</translation>
    </message>
    <message>
        <source>without failures; step %1</source>
        <translation>障害を含まず、ステップ %1</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>はい</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>ユーザー設定</translation>
    </message>
    <message>
        <source>yours to meet</source>
        <translation>利用者が用意</translation>
    </message>
    <message>
        <source>yours, set on the command line</source>
        <translation>ユーザー設定、コマンドラインで指定</translation>
    </message>
    <message>
        <source>yours, set on {1}</source>
        <translation>ユーザー設定、{1} に入力</translation>
    </message>
    <message>
        <source>zero-bubble schedule</source>
        <translation>ゼロバブルスケジュール</translation>
    </message>
    <message>
        <source>zfp rate</source>
        <translation>zfp レート</translation>
    </message>
    <message>
        <source>zfp: bits of a value / rate; fp8: bytes of a value; top-k: by density and 4-byte indices; lossless: as measured on the data</source>
        <translation>zfp: 値のビット数 / レート、fp8: 値のバイト数、top-k: 密度と 4 バイトの添字、可逆: データでの実測</translation>
    </message>
    <message>
        <source>{"name": [rows, columns]}</source>
        <translation>{"name": [rows, columns]}</translation>
    </message>
    <message>
        <source>{1} "{2}" has characters that are not allowed: use {3}</source>
        <translation>{1}「{2}」は使えない文字を含みます。使えるもの: {3}</translation>
    </message>
    <message>
        <source>{1} %</source>
        <translation>{1} %</translation>
    </message>
    <message>
        <source>{1} % less time</source>
        <translation>時間 {1} % 減</translation>
    </message>
    <message>
        <source>{1} % more time</source>
        <translation>時間 {1} % 増</translation>
    </message>
    <message>
        <source>{1} % of the optimizer</source>
        <translation>オプティマイザの {1} %</translation>
    </message>
    <message>
        <source>{1} (disturbed)</source>
        <translation>{1}（外乱あり）</translation>
    </message>
    <message>
        <source>{1} (fitted)</source>
        <translation>{1}（当てはめ）</translation>
    </message>
    <message>
        <source>{1} (nobody waits up to {2}, the tier holds {3})</source>
        <translation>{1}（待ちが生じない上限 {2}、階層の容量 {3}）</translation>
    </message>
    <message>
        <source>{1} (not counted)</source>
        <translation>{1}（対象外）</translation>
    </message>
    <message>
        <source>{1} (optimum by Young {2}; longer costs at most {3} of the time)</source>
        <translation>{1}（ヤングの最適値 {2}。延長による損失は時間の {3} 以下）</translation>
    </message>
    <message>
        <source>{1} (optimum by Young; Daly {2})</source>
        <translation>{1}（ヤングの最適値。デイリー {2}）</translation>
    </message>
    <message>
        <source>{1} (or the next number that a layout can use)</source>
        <translation>{1}(またはレイアウトが使える次の数)</translation>
    </message>
    <message>
        <source>{1} (set)</source>
        <translation>{1}（設定値）</translation>
    </message>
    <message>
        <source>{1} (set; optimum by Young {2}, Daly {3})</source>
        <translation>{1}（設定値。ヤングの最適値 {2}、デイリー {3}）</translation>
    </message>
    <message>
        <source>{1} ({2} of the chain)</source>
        <translation>{1}（連鎖の {2}）</translation>
    </message>
    <message>
        <source>{1} Numbers start from the preset of {2} ({3}).</source>
        <translation>{1} 数値は {2}（{3}）のプリセットから始めます。</translation>
    </message>
    <message>
        <source>{1} That is beyond the likely range of {2}.</source>
        <translation>{1}これは見込みの範囲 {2} の外側です。</translation>
    </message>
    <message>
        <source>{1} That is within the likely range of {2}: the difference may mean nothing.</source>
        <translation>{1}これは見込みの範囲 {2} の内側なので、差に意味がないこともあります。</translation>
    </message>
    <message>
        <source>{1} adapts all of a feed-forward block or nothing. Nearest: gate, up and down together.</source>
        <translation>{1} はフィードフォワードブロック全体にアダプタを付けるか、まったく付けません。最も近い値: gate、up、down をまとめて。</translation>
    </message>
    <message>
        <source>{1} adapts at least one matrix of attention. Nearest: queries.</source>
        <translation>{1} はアテンションの行列に少なくとも 1 つアダプタを付けます。最も近い値: クエリ。</translation>
    </message>
    <message>
        <source>{1} against {2}: {3}.</source>
        <translation>{1} を {2} と比べると：{3}。</translation>
    </message>
    <message>
        <source>{1} alone</source>
        <translation>{1}のみ</translation>
    </message>
    <message>
        <source>{1} are taken, as {2} has them</source>
        <translation>{2} の既定の {1} を用います</translation>
    </message>
    <message>
        <source>{1} asks for adapters or quantised weights, which are not read in the words of this trainer: their states and gradients are other than those of the whole model</source>
        <translation>{1} はアダプタまたは量子化された重みを求めていますが、このトレーナの設定からは読み取れません。その状態と勾配はモデル全体のものとは異なります</translation>
    </message>
    <message>
        <source>{1} asks for training that is not modelled. Plans train all weights, or adapters beside weights in 16 bits, int8 or NF4</source>
        <translation>{1} はモデル化されていない学習を求めています。計画が学習するのは、すべての重み、または 16 ビット、int8、NF4 の重みの横のアダプタです</translation>
    </message>
    <message>
        <source>{1} at this rate</source>
        <translation>この頻度で {1}</translation>
    </message>
    <message>
        <source>{1} at {2}</source>
        <translation>{1}（{2}）</translation>
    </message>
    <message>
        <source>{1} at {2} USD, a rate that you stated.</source>
        <translation>{1} は 1 単位 {2} USD で換算（あなたが入力したレート）。</translation>
    </message>
    <message>
        <source>{1} at {2} bits a value</source>
        <translation>{1}（1 値 {2} ビット）</translation>
    </message>
    <message>
        <source>{1} beside {2}</source>
        <translation>{2} と並んだ{1}</translation>
    </message>
    <message>
        <source>{1} borrows an index, and no layer before it has one</source>
        <translation>{1} は選択を借りますが、それより前の層に選択を行うものがありません</translation>
    </message>
    <message>
        <source>{1} borrows keys, and no layer before it with such a window lends</source>
        <translation>{1} はキーを借りますが、それより前に同じ窓で貸し出す層がありません</translation>
    </message>
    <message>
        <source>{1} by {2} held back on this machine, mean error {3}.</source>
        <translation>この計算機で検証用に除外した{2}により{1}、平均誤差 {3}。</translation>
    </message>
    <message>
        <source>{1} computes on {2}, for which plimsoll-engine has no back end: it runs on processors, on NVIDIA's GPUs from the A100 on and on AMD's MI200 and MI300 series. Its processors could be measured, and a preset with their rates would be wrong in everything.</source>
        <translation>{1} は {2} で計算しますが、plimsoll-engine にはそのバックエンドがありません。動くのはプロセッサ、A100 以降の NVIDIA GPU、AMD の MI200 と MI300 シリーズです。プロセッサを測ることはできますが、その速度のプリセットはすべてが誤りになります。</translation>
    </message>
    <message>
        <source>{1} computes on {2}, which plimsoll-engine cannot use: its kernels need compute capability 8.0, which NVIDIA's GPUs have from the A100 on (bf16 on tensor cores). A job would wait in the queue and end at its first line.</source>
        <translation>{1} は {2} で計算しますが、plimsoll-engine はそれを使えません。カーネルには compute capability 8.0 が必要で、NVIDIA の GPU では A100 以降です（テンソルコアの bf16）。ジョブはキューで待ったあげく、最初の行で終わります。</translation>
    </message>
    <message>
        <source>{1} computes on {2}, which the preset counts as one device: a rank of plimsoll-engine computes on one GCD of the two. The preset of the same machine that counts GCDs works.</source>
        <translation>{1} は {2} で計算し、プリセットはそれを 1 デバイスと数えます。plimsoll-engine の 1 ランクは、2 つのうち 1 つの GCD で計算します。同じ計算機の、GCD を数えるプリセットなら使えます。</translation>
    </message>
    <message>
        <source>{1} context {2}</source>
        <translation>{1} コンテキスト {2}</translation>
    </message>
    <message>
        <source>{1} counts pairs of answers, each two sequences. Nearest: an even micro-batch.</source>
        <translation>{1} は答えの対を数え、対は 2 本の系列です。最も近い値: 偶数のマイクロバッチ。</translation>
    </message>
    <message>
        <source>{1} data ranks</source>
        <translation>{1} データランク</translation>
    </message>
    <message>
        <source>{1} did not go to the end.</source>
        <translation>{1} 回は最後まで進みませんでした。</translation>
    </message>
    <message>
        <source>{1} does not divide {2}</source>
        <translation>{2} は {1} で割り切れません</translation>
    </message>
    <message>
        <source>{1} does not divide {2} heads</source>
        <translation>{1} はヘッド数 {2} を割り切りません</translation>
    </message>
    <message>
        <source>{1} does not divide {2} ranks</source>
        <translation>{1} は {2} ランクを割り切りません</translation>
    </message>
    <message>
        <source>{1} does not go with {2}</source>
        <translation>{1} は {2} と併用できません</translation>
    </message>
    <message>
        <source>{1} does not split matrices by itself. Nearest: tensor parallel 1.</source>
        <translation>{1} 自体は行列を分割しません。最も近い値: テンソル並列 1。</translation>
    </message>
    <message>
        <source>{1} does not split sequences by itself. Nearest: context parallel 1.</source>
        <translation>{1} 自体は系列を分割しません。最も近い値: コンテキスト並列 1。</translation>
    </message>
    <message>
        <source>{1} does not spread experts by itself. Nearest: expert parallel 1.</source>
        <translation>{1} 自体はエキスパートを分散しません。最も近い値: エキスパート並列 1。</translation>
    </message>
    <message>
        <source>{1} exchanges the projections of mixers with a state. Nearest: context states all_to_all.</source>
        <translation>{1} は状態を持つミキサーの射影を交換します。近い値: コンテキストの状態 all_to_all。</translation>
    </message>
    <message>
        <source>{1} exchanges tokens at full width (order cdac).</source>
        <translation>{1} は全幅のトークンを交換します（順序 cdac）。</translation>
    </message>
    <message>
        <source>{1} faster than</source>
        <translation>{1} 速い:</translation>
    </message>
    <message>
        <source>{1} finds feed-forward matrices of experts by the same names. Nearest: adapters of routed experts.</source>
        <translation>{1} はエキスパートのフィードフォワード行列を同じ名前で見つけます。最も近い値: ルーティングされるエキスパートのアダプタ。</translation>
    </message>
    <message>
        <source>{1} g CO2e per node-hour: {2}</source>
        <translation>ノード時間あたり {1} g CO2e：{2}</translation>
    </message>
    <message>
        <source>{1} g CO2e/kWh: {2}</source>
        <translation>{1} g CO2e/kWh：{2}</translation>
    </message>
    <message>
        <source>{1} gives states formats of their own under Adam and its distributed optimizer alone. Nearest: adam, ZeRO stage 1.</source>
        <translation>{1} が状態ごとに形式を選べるのは、Adam と分散オプティマイザの組み合わせだけです。最も近い値: adam、ZeRO ステージ 1。</translation>
    </message>
    <message>
        <source>{1} goes on from weights that are there. Nearest: purpose finetune.</source>
        <translation>{1} は既存の重みから学習を続けます。最も近い値: 目的 finetune。</translation>
    </message>
    <message>
        <source>{1} has Muon layer-wise with ZeRO stage 1 (dist_muon), or redundant without (muon). Nearest: layer-wise.</source>
        <translation>{1} の Muon は、ZeRO ステージ 1 での layer-wise（dist_muon）か、ZeRO なしの redundant（muon）です。近いもの: layer-wise。</translation>
    </message>
    <message>
        <source>{1} has a constant of this input already</source>
        <translation>{1} には、この入力の定数がすでにあります</translation>
    </message>
    <message>
        <source>{1} has an adapter for each matrix. Nearest: no adapters of fused matrices.</source>
        <translation>{1} は行列ごとにアダプタを持ちます。最も近い値: 融合行列のアダプタなし。</translation>
    </message>
    <message>
        <source>{1} has neither 8-bit Adam, Adafactor, K-FAC, Shampoo nor, here, SOAP. Nearest: adam, sgd, muon.</source>
        <translation>{1} には 8 ビット Adam、Adafactor、K-FAC、Shampoo がなく、ここでは SOAP もありません。最も近い値: adam、sgd、muon。</translation>
    </message>
    <message>
        <source>{1} has no ALiBi positions.</source>
        <translation>{1} に ALiBi の位置はありません。</translation>
    </message>
    <message>
        <source>{1} has no GPipe schedule. Nearest: 1f1b.</source>
        <translation>{1} に GPipe スケジュールはありません。最も近い値: 1f1b。</translation>
    </message>
    <message>
        <source>{1} has no fp8 scales by row. Nearest: delayed, tensorwise, blockwise, mxfp8.</source>
        <translation>{1} に行ごとの fp8 スケールはありません。最も近い値: delayed, tensorwise, blockwise, mxfp8。</translation>
    </message>
    <message>
        <source>{1} has no recipe for preferences that trains all weights on one device. Nearest: adapters.</source>
        <translation>{1} には、1 台のデバイスですべての重みを学習する選好のレシピがありません。最も近い値: アダプター。</translation>
    </message>
    <message>
        <source>{1} has no stages by itself. Nearest: pipeline parallel 1.</source>
        <translation>{1} 自体にステージはありません。最も近い値: パイプライン並列 1。</translation>
    </message>
    <message>
        <source>{1} has no step that counts.</source>
        <translation>{1} には数えられるステップがありません。</translation>
    </message>
    <message>
        <source>{1} has no zero-bubble schedule. Nearest: 1f1b, interleaved.</source>
        <translation>{1} にゼロバブルスケジュールはありません。最も近い値: 1f1b, interleaved。</translation>
    </message>
    <message>
        <source>{1} has {2}, and {3} are asked for.</source>
        <translation>{1} は {2} しかなく、{3} が求められている。</translation>
    </message>
    <message>
        <source>{1} heads do not divide the attention width {2}</source>
        <translation>ヘッド数 {1} はアテンションの幅 {2} を割り切りません</translation>
    </message>
    <message>
        <source>{1} heads share a width of {2}: no head can be one element wide</source>
        <translation>{1} 個のヘッドが幅 {2} を分け合っています。幅が 1 要素のヘッドはありえません</translation>
    </message>
    <message>
        <source>{1} held back on this machine: mean error of the step time {2}, of memory {3}.</source>
        <translation>この計算機で検証用に除外した{1}: 平均誤差はステップ時間 {2}、メモリ {3}。</translation>
    </message>
    <message>
        <source>{1} held back on this machine: mean error of the step time {2}.</source>
        <translation>この計算機で検証用に除外した{1}: ステップ時間の平均誤差 {2}。</translation>
    </message>
    <message>
        <source>{1} hold not one layer of this width.</source>
        <translation>{1} にはこの幅の層が 1 つも入りません。</translation>
    </message>
    <message>
        <source>{1} in "{2}"</source>
        <translation>{1}（「{2}」の途中）</translation>
    </message>
    <message>
        <source>{1} in 2.5D, depth {2}</source>
        <translation>{1} (2.5D、深さ {2})</translation>
    </message>
    <message>
        <source>{1} in 2D</source>
        <translation>{1} (2D)</translation>
    </message>
    <message>
        <source>{1} in NVMe</source>
        <translation>{1}を NVMe に</translation>
    </message>
    <message>
        <source>{1} in a window of {2}</source>
        <translation>ウィンドウ {2} の{1}</translation>
    </message>
    <message>
        <source>{1} in groups of {2}</source>
        <translation>{1}（{2} ランクのグループ）</translation>
    </message>
    <message>
        <source>{1} in host memory</source>
        <translation>{1}をホストメモリに</translation>
    </message>
    <message>
        <source>{1} in {2} packages ({3})</source>
        <translation>{1}（パッケージ {2} 個、{3}）</translation>
    </message>
    <message>
        <source>{1} is "{2}", not [days-]hours:minutes:seconds</source>
        <translation>{1} が「{2}」で、[days-]hours:minutes:seconds の形ではありません</translation>
    </message>
    <message>
        <source>{1} is "{2}", not a count of nodes</source>
        <translation>{1} が「{2}」で、ノード数ではありません</translation>
    </message>
    <message>
        <source>{1} is "{2}", not a number of joules</source>
        <translation>{1} が「{2}」で、ジュールの数値ではありません</translation>
    </message>
    <message>
        <source>{1} is less than {2}</source>
        <translation>{1} は {2} より小さい値です</translation>
    </message>
    <message>
        <source>{1} is missing.</source>
        <translation>{1} がありません。</translation>
    </message>
    <message>
        <source>{1} is more memory than the {2} of a device.</source>
        <translation>メモリ {1} は、デバイスの {2} を超えています。</translation>
    </message>
    <message>
        <source>{1} is more than the machine's {2}</source>
        <translation>{1} は計算機の {2} を超えています</translation>
    </message>
    <message>
        <source>{1} is more than {2}</source>
        <translation>{1} は {2} を超えています</translation>
    </message>
    <message>
        <source>{1} is no square grid times depth {2}</source>
        <translation>{1} は正方格子 × 深さ {2} になりません</translation>
    </message>
    <message>
        <source>{1} is not a multiple of {2}</source>
        <translation>{1} は {2} の倍数ではありません</translation>
    </message>
    <message>
        <source>{1} is not modelled in this version</source>
        <translation>{1} はこの版では扱えません</translation>
    </message>
    <message>
        <source>{1} is not tensor x context x data x pipeline = {2}</source>
        <translation>{1} はテンソル × コンテキスト × データ × パイプライン = {2} と一致しません</translation>
    </message>
    <message>
        <source>{1} is of another run and does not count. {2}.</source>
        <translation>{1} は別の実行のログなので数えません。{2}。</translation>
    </message>
    <message>
        <source>{1} is out of range</source>
        <translation>{1} は範囲外です</translation>
    </message>
    <message>
        <source>{1} is out of range; it goes from {2} to {3}.</source>
        <translation>{1} は範囲外です。{2} から {3} までにしてください。</translation>
    </message>
    <message>
        <source>{1} is out of range; it starts at {2}.</source>
        <translation>{1} は範囲外です。{2} 以上にしてください。</translation>
    </message>
    <message>
        <source>{1} is scaled to {2} layers of {3} ({4} heads of {5}), a vocabulary of {6} and sequences of {7}: {8} parameters.</source>
        <translation>{1} は、{2} 層、幅 {3}（ヘッド {4} 個、幅 {5}）、語彙数 {6}、系列長 {7} に縮小します: パラメータ数 {8}。</translation>
    </message>
    <message>
        <source>{1} is scaled to {2} layers of {3} ({4} heads of {5}), a vocabulary of {6} and sequences of {7}: {8} parameters. The engine takes {9}.</source>
        <translation>{1} は、{2} 層、幅 {3}（ヘッド {4} 個、幅 {5}）、語彙数 {6}、系列長 {7} に縮小します: パラメータ数 {8}。エンジンでは次のように置き換えます: {9}。</translation>
    </message>
    <message>
        <source>{1} is taken, as {2} has it</source>
        <translation>{2} の既定値 {1} を用います</translation>
    </message>
    <message>
        <source>{1} is {2}, which cannot be read</source>
        <translation>{1} の値 {2} は読み取れません</translation>
    </message>
    <message>
        <source>{1} job of {2} ({3})</source>
        <translation>{1} ジョブ × {2}（{3}）</translation>
    </message>
    <message>
        <source>{1} jobs of {2} ({3})</source>
        <translation>{1} ジョブ × {2}（{3}）</translation>
    </message>
    <message>
        <source>{1} keeps 16 bytes per parameter, or 8 all in 16 bits. Nearest: 8, 16.</source>
        <translation>{1} はパラメータあたり 16 バイト、またはすべて 16 ビットの 8 バイトを保持します。最も近い値: 8、16。</translation>
    </message>
    <message>
        <source>{1} keeps 16-bit weights, gradients once, master weights, and moments in fp32, bf16, fp16 or fp8. Nearest: 16, 18 bytes per parameter.</source>
        <translation>{1} が保持するのは、16 ビットの重み、勾配を 1 度、マスター重み、fp32、bf16、fp16、fp8 いずれかのモーメントです。最も近い値: パラメータあたり 16、18 バイト。</translation>
    </message>
    <message>
        <source>{1} keeps converted weights alone with its distributed optimizer. Nearest: ZeRO stage 1.</source>
        <translation>{1} が変換した重みだけを持つのは、分散オプティマイザーを使うときです。最も近いもの: ZeRO ステージ 1。</translation>
    </message>
    <message>
        <source>{1} keeps frozen weights in 16 bits or in NF4 with double quantisation. Nearest: these.</source>
        <translation>{1} は固定された重みを 16 ビットまたは二重量子化の NF4 で保持します。最も近い値: これら。</translation>
    </message>
    <message>
        <source>{1} keeps frozen weights in the format of the products. Nearest: as_products.</source>
        <translation>{1} は固定された重みを積の形式で保持します。最も近い値: as_products。</translation>
    </message>
    <message>
        <source>{1} keeps no second copy of the weights. Nearest: secondary shard 0.</source>
        <translation>{1} は重みの 2 つ目の写しを持ちません。最も近い値: 二次シャード 0。</translation>
    </message>
    <message>
        <source>{1} keeps no whole copies. Nearest: ZeRO stage 2, 3.</source>
        <translation>{1} は全体のコピーを保持しません。最も近い値: ZeRO ステージ 2、3。</translation>
    </message>
    <message>
        <source>{1} keeps remainders beside bf16 weights alone. Nearest: master weights in fp32.</source>
        <translation>{1} が剰余 (remainders) を保持するのは、bf16 の重みの横だけです。最も近い値: fp32 のマスター重み。</translation>
    </message>
    <message>
        <source>{1} keeps remainders where states have formats of their own. Nearest: master weights in remainders.</source>
        <translation>{1} は、状態ごとに形式を選ぶと、マスター重みを剰余 (remainders) で保持します。最も近い値: マスター重みは remainders。</translation>
    </message>
    <message>
        <source>{1} keeps the first and last layers in 16 bits, not those of further tokens nor kinds. Nearest: none.</source>
        <translation>{1} が 16 ビットのままにできるのは最初と最後の層で、先のトークンの層や種類ごとの指定はできません。最も近いもの: なし。</translation>
    </message>
    <message>
        <source>{1} keeps weights and moments in fp32 here. Nearest: 16 bytes per parameter.</source>
        <translation>ここでの {1} は重みとモーメントを fp32 で保持します。最も近い値: パラメータあたり 16 バイト。</translation>
    </message>
    <message>
        <source>{1} keeps weights, gradients and moments in bf16. Nearest: 8 bytes per parameter.</source>
        <translation>{1} は重み、勾配、モーメントを bf16 で保持します。最も近い値: パラメータあたり 8 バイト。</translation>
    </message>
    <message>
        <source>{1} keeps {2} bytes per trained parameter here, the plan {3}.</source>
        <translation>{1} は学習するパラメータあたり {2} バイトを保持し、計画は {3} バイトです。</translation>
    </message>
    <message>
        <source>{1} layers</source>
        <translation>{1} 層</translation>
    </message>
    <message>
        <source>{1} layers do not divide, so some stages hold one more and the others wait</source>
        <translation>{1} 層は割り切れないため、一部のステージが 1 層多く持ち、ほかが待ちます</translation>
    </message>
    <message>
        <source>{1} layers without experts are priced as layers with experts: parameters and exchanges of experts are that much too many</source>
        <translation>エキスパートのない {1} 層を、エキスパートのある層として計算します。エキスパートのパラメータと交換はその分だけ多すぎます</translation>
    </message>
    <message>
        <source>{1} layers x {2}, {3} heads</source>
        <translation>{1} 層 x {2}、{3} ヘッド</translation>
    </message>
    <message>
        <source>{1} layouts that were held back did not run to the end</source>
        <translation>検証用に除外した {1} 構成が最後まで実行されませんでした</translation>
    </message>
    <message>
        <source>{1} makes a grid whose side does not divide {2}</source>
        <translation>{1} の格子の一辺で {2} が割り切れません</translation>
    </message>
    <message>
        <source>{1} micro-batches</source>
        <translation>{1} マイクロバッチ</translation>
    </message>
    <message>
        <source>{1} micro-batches cannot keep {2} stages busy</source>
        <translation>{1} マイクロバッチでは {2} ステージを埋められません</translation>
    </message>
    <message>
        <source>{1} mm are too narrow for letters of {2} pt</source>
        <translation>{1} mm の幅は {2} pt の文字には狭すぎます</translation>
    </message>
    <message>
        <source>{1} mm is outside {2} to {3}</source>
        <translation>{1} mm は {2}～{3} の範囲外です</translation>
    </message>
    <message>
        <source>{1} more</source>
        <translation>ほか {1} 件</translation>
    </message>
    <message>
        <source>{1} moves weights, gradients and optimizer to the host together (FSDP). Nearest: all, none.</source>
        <translation>{1} は重み、勾配、オプティマイザをまとめてホストへ移します(FSDP)。最も近い値: すべて、なし。</translation>
    </message>
    <message>
        <source>{1} needs what this machine has none of: {2}</source>
        <translation>{1} に必要なものがこの計算機にありません: {2}</translation>
    </message>
    <message>
        <source>{1} node</source>
        <translation>{1} ノード</translation>
    </message>
    <message>
        <source>{1} nodes</source>
        <translation>{1} ノード</translation>
    </message>
    <message>
        <source>{1} nodes instead of {2}</source>
        <translation>{2} ではなく {1} ノード</translation>
    </message>
    <message>
        <source>{1} of 1 point was measured while somebody else had the processor, and left out of the fit</source>
        <translation>1 点のうち {1} 点は、他の利用者がプロセッサを使っている間の測定のため、当てはめから除きました</translation>
    </message>
    <message>
        <source>{1} of a device, what lives outside the allocator included</source>
        <translation>アロケータの外にあるものを含めて、デバイスの {1}</translation>
    </message>
    <message>
        <source>{1} of a tensor rank</source>
        <translation>1 テンソルランクの{1}</translation>
    </message>
    <message>
        <source>{1} of all arguments</source>
        <translation>全引数のうち {1} 個</translation>
    </message>
    <message>
        <source>{1} of cluster {2}</source>
        <translation>クラスタ {2} の {1}</translation>
    </message>
    <message>
        <source>{1} of memory do not grow with the layers: they were printed before the peak of a step, and do not count.</source>
        <translation>メモリ {1} は層数とともに増えていません。ステップの最大値に達する前に出力された値なので、数えません。</translation>
    </message>
    <message>
        <source>{1} of memory is {2} times less than the {3} that the model predicts.</source>
        <translation>メモリ {1} は、モデルの予測 {3} の {2} 分の 1 です。</translation>
    </message>
    <message>
        <source>{1} of memory is {2} times more than the {3} that the model predicts.</source>
        <translation>メモリ {1} は、モデルの予測 {3} の {2} 倍です。</translation>
    </message>
    <message>
        <source>{1} of the memory is used, and {2} headroom is asked for</source>
        <translation>メモリの {1} を使い、指定の余裕は {2} です</translation>
    </message>
    <message>
        <source>{1} of the peak: no run on {2} in {3} reached more than {4}</source>
        <translation>ピークの {1}。{3} で {2} 上の公表事例は、{4} を超えていません</translation>
    </message>
    <message>
        <source>{1} of the peak: no run that was checked reached more than {2}</source>
        <translation>ピーク性能の {1}: 検証した実行で {2} を超えたものはありません</translation>
    </message>
    <message>
        <source>{1} of the run</source>
        <translation>実行の{1}</translation>
    </message>
    <message>
        <source>{1} of the times of a library's attention lie beyond the device's peak: they were left out of the fit</source>
        <translation>ライブラリのアテンションの時間のうち {1} 個はデバイスのピークを超えているため、当てはめから除きました</translation>
    </message>
    <message>
        <source>{1} of those that count took more than twice as long as the middle one; the middle does not follow them.</source>
        <translation>数えたもののうち {1} 個は中央の 2 倍を超える時間がかかりました。中央値はその影響を受けません。</translation>
    </message>
    <message>
        <source>{1} of {2}</source>
        <translation>{1} / {2}</translation>
    </message>
    <message>
        <source>{1} of {2} %</source>
        <translation>{1}（{2} %）</translation>
    </message>
    <message>
        <source>{1} of {2} chunks</source>
        <translation>{1}（{2} チャンク）</translation>
    </message>
    <message>
        <source>{1} of {2} held back to test the prediction ran while something disturbed them: measure again when the machine is free.</source>
        <translation>検証用に除外した {2}のうち {1} 構成は、実行中に外乱を受けました。計算機が空いているときに測り直してください。</translation>
    </message>
    <message>
        <source>{1} of {2} layers a chunk</source>
        <translation>{1}（チャンクの {2} 層）</translation>
    </message>
    <message>
        <source>{1} of {2} layouts fit, {3} of them tightly.</source>
        <translation>{2} 構成中 {1} が収まり、うち {3} は余裕がありません。</translation>
    </message>
    <message>
        <source>{1} of {2} layouts fit.</source>
        <translation>{2} 構成中 {1} が収まります。</translation>
    </message>
    <message>
        <source>{1} of {2} lie inside their intervals of 90 %.</source>
        <translation>{2} 件中 {1} 件が 90 % 区間に入っています。</translation>
    </message>
    <message>
        <source>{1} of {2} machines cannot run it; their rows say why.</source>
        <translation>{2} 台のうち {1} 台の計算機では実行できません。理由は各行にあります。</translation>
    </message>
    <message>
        <source>{1} of {2} measured while somebody else had the processor: measure again when the machine is free.</source>
        <translation>{2}のうち {1} 点は、他の利用者がプロセッサを使っている間の測定です。計算機が空いているときに測り直してください。</translation>
    </message>
    <message>
        <source>{1} of {2} points were measured while somebody else had the processor, and left out of the fit</source>
        <translation>{2} 点のうち {1} 点は、他の利用者がプロセッサを使っている間の測定のため、当てはめから除きました</translation>
    </message>
    <message>
        <source>{1} of {2} printed intervals count.</source>
        <translation>出力された {2} 区間のうち {1} 区間を数えます。</translation>
    </message>
    <message>
        <source>{1} of {2} runs complete</source>
        <translation>{2} 件中 {1} 件の実行が完了</translation>
    </message>
    <message>
        <source>{1} of {2} splits fit. Micro-batch, recomputation and sharding stay as they are; a search of layouts turns them too.</source>
        <translation>{2} 通りの分割のうち {1} 通りが収まります。マイクロバッチ、再計算、シャーディングは変えません。構成の探索ではそれらも変えます。</translation>
    </message>
    <message>
        <source>{1} of {2}: short by {3}</source>
        <translation>{1} / {2}: {3} 不足</translation>
    </message>
    <message>
        <source>{1} on a node of {2}: a rank of a calibration is a device, and a node has {3} ({4}); --ranks-per-node {5} works</source>
        <translation>{2} の 1 ノードに {1}: 較正の 1 ランクは 1 デバイスで、ノードには {3}（{4}）があります。--ranks-per-node {5} なら使えます</translation>
    </message>
    <message>
        <source>{1} on the busiest owner</source>
        <translation>{1}（最も多く持つランク）</translation>
    </message>
    <message>
        <source>{1} on {2}</source>
        <translation>{2} で {1}</translation>
    </message>
    <message>
        <source>{1} on {2} never ends: failures take all of its time.</source>
        <translation>{1} を {2} で実行しても終わらない：障害が時間をすべて奪う。</translation>
    </message>
    <message>
        <source>{1} on {2} of {3} nodes: can be read, of {4}</source>
        <translation>{3} ノード中 {2} ノードの {1}: 読めます（対象: {4}）</translation>
    </message>
    <message>
        <source>{1} on {2} takes {3} at least, and it has to end in {4}.</source>
        <translation>{1} を {2} で実行すると少なくとも {3} かかるが、{4} 以内に終わらなければならない。</translation>
    </message>
    <message>
        <source>{1} on {2} takes {3} node-hours at least, and there are {4}.</source>
        <translation>{1} を {2} で実行すると少なくとも {3} ノード時間かかるが、使えるのは {4} である。</translation>
    </message>
    <message>
        <source>{1} on {2} takes {3}.</source>
        <translation>{1} を {2} で実行すると {3} かかる。</translation>
    </message>
    <message>
        <source>{1} or {2}, by the condition of line {3}: none is taken; state it</source>
        <translation>{3} 行目の条件により {1} または {2}: どちらも採用しません。明示してください</translation>
    </message>
    <message>
        <source>{1} over keys of an earlier layer</source>
        <translation>{1}（前の層のキーを読む）</translation>
    </message>
    <message>
        <source>{1} over the achieved rate of the outermost level</source>
        <translation>{1} ÷ 最も外側の階層の実効速度</translation>
    </message>
    <message>
        <source>{1} over {2}</source>
        <translation>{2} 経由 {1}</translation>
    </message>
    <message>
        <source>{1} packs rows or pads them. Nearest: packed, padded, padded_to_longest.</source>
        <translation>{1} は行を詰めるか、パディングします。最も近い値: packed、padded、padded_to_longest。</translation>
    </message>
    <message>
        <source>{1} packs rows, or pads them to the longest of a batch. Nearest: packed, padded_to_longest.</source>
        <translation>{1} は行を詰めるか、バッチの最長のものに合わせて埋めます。近い値: packed、padded_to_longest。</translation>
    </message>
    <message>
        <source>{1} pages states of one device alone. Nearest: one device.</source>
        <translation>{1} が状態をページ化するのは、デバイス 1 個のときだけです。最も近い値: デバイス 1 個。</translation>
    </message>
    <message>
        <source>{1} parameters; a matrix of m x n takes 4 m^2 n + 2 m^3 FLOP an iteration, with symmetric products 3 m^2 n + m^3, in three bf16 products</source>
        <translation>パラメーター {1} 個。m x n の行列は反復ごとに 4 m^2 n + 2 m^3 FLOP、対称積を使えば 3 m^2 n + m^3 で、bf16 の積 3 回</translation>
    </message>
    <message>
        <source>{1} pass through {2}, {3} times smaller; one transfer takes {4} against {5}, {6} of it codec</source>
        <translation>{1}は {2} を通り、{3} 倍小さくなります。1 回の転送は {5} に対して {4}、うちコーデックが {6}</translation>
    </message>
    <message>
        <source>{1} per device-hour</source>
        <translation>デバイス時間あたり {1}</translation>
    </message>
    <message>
        <source>{1} per node-hour</source>
        <translation>ノード時間あたり {1}</translation>
    </message>
    <message>
        <source>{1} quantises the weights, and no setting asks for adapters beside them: quantised weights are not trained</source>
        <translation>{1} は重みを量子化しますが、その横のアダプタを求める設定がありません。量子化された重みは学習されません</translation>
    </message>
    <message>
        <source>{1} ranks do not divide {2}</source>
        <translation>{1} ランクは {2} を割り切りません</translation>
    </message>
    <message>
        <source>{1} ranks on {2} cores: they take turns, which no cost model knows</source>
        <translation>{2} コアで {1} ランク: 交代で動くため、どのコストモデルでも扱えません</translation>
    </message>
    <message>
        <source>{1} read, {2} written</source>
        <translation>読み込み {1}、書き込み {2}</translation>
    </message>
    <message>
        <source>{1} recompute</source>
        <translation>{1} 再計算</translation>
    </message>
    <message>
        <source>{1} recomputes selectively in every layer. Nearest: recomputed layers 0, or full recompute.</source>
        <translation>{1} の選択的再計算は全層で行われます。最も近い値: 再計算する層数 0、または全体を再計算。</translation>
    </message>
    <message>
        <source>{1} recomputes whole layers, all of them. Nearest: recompute none, full.</source>
        <translation>{1} はすべての層を層ごと再計算します。最も近い値: 再計算 none、full。</translation>
    </message>
    <message>
        <source>{1} says it and was not given: give it with the files. Until then the plan has stage {2}</source>
        <translation>{1} に書かれていますが、このファイルは渡されていません。ほかのファイルと一緒に渡してください。それまで計画ではステージ {2} とします</translation>
    </message>
    <message>
        <source>{1} scales no loss. Nearest: bf16.</source>
        <translation>{1} は損失をスケーリングしません。最も近い値: bf16。</translation>
    </message>
    <message>
        <source>{1} script: generated and syntax-checked, never run by us on a real {1}.</source>
        <translation>{1} のスクリプト: 生成と構文検査のみで、実際の {1} では未実行です。</translation>
    </message>
    <message>
        <source>{1} script: jobs like it have been run by us on a real {1}, on one node; a site's own lines have not.</source>
        <translation>{1} のスクリプト: 同様のジョブを実際の {1} の 1 ノードで実行済みです。サイト固有の行は未確認です。</translation>
    </message>
    <message>
        <source>{1} sends the inputs of recomputed layers to the host. Nearest: full recomputation, host memory.</source>
        <translation>{1} は再計算する層の入力をホストへ送ります。最も近い値: 完全な再計算、ホストメモリ。</translation>
    </message>
    <message>
        <source>{1} shards no factors of K-FAC, Shampoo or SOAP. Nearest: adam, adam-8bit, sgd.</source>
        <translation>{1} は K-FAC、Shampoo、SOAP の因子をシャーディングしません。最も近い値: adam、adam-8bit、sgd。</translation>
    </message>
    <message>
        <source>{1} slower than</source>
        <translation>{1} 遅い:</translation>
    </message>
    <message>
        <source>{1} splits matrices in one dimension. Nearest: tensor mode 1d.</source>
        <translation>{1} は行列を 1 次元で分割します。最も近い値: テンソルモード 1d。</translation>
    </message>
    <message>
        <source>{1} stage x {2} data ranks</source>
        <translation>{1} ステージ × {2} データランク</translation>
    </message>
    <message>
        <source>{1} stages</source>
        <translation>{1} ステージ</translation>
    </message>
    <message>
        <source>{1} stages x {2} data ranks</source>
        <translation>{1} ステージ × {2} データランク</translation>
    </message>
    <message>
        <source>{1} steps</source>
        <translation>{1} ステップ</translation>
    </message>
    <message>
        <source>{1} takes one packed row at a time. Nearest: a micro-batch of 1.</source>
        <translation>{1} は詰め込んだ行を一度に 1 つだけ処理します。最も近い値: マイクロバッチ 1。</translation>
    </message>
    <message>
        <source>{1} takes one transport for the whole job; whole stages on clusters of their own network are Holmes's. Nearest: mapping ordered.</source>
        <translation>{1} はジョブ全体で 1 つの通信方式を使います。独自のネットワークを持つクラスタへのステージ単位の割り当ては Holmes のものです。最も近い値: mapping ordered。</translation>
    </message>
    <message>
        <source>{1} tensor ranks</source>
        <translation>{1} テンソルランク</translation>
    </message>
    <message>
        <source>{1} tensor x {2} data ranks</source>
        <translation>{1} テンソル × {2} データランク</translation>
    </message>
    <message>
        <source>{1} tensor x {2} stage ranks</source>
        <translation>{1} テンソル × {2} ステージランク</translation>
    </message>
    <message>
        <source>{1} tensor x {2} stage x {3} data ranks</source>
        <translation>{1} テンソル × {2} ステージ × {3} データランク</translation>
    </message>
    <message>
        <source>{1} tensor x {2} stages x {3} data ranks</source>
        <translation>{1} テンソル × {2} ステージ × {3} データランク</translation>
    </message>
    <message>
        <source>{1} through {2} shrink {3} times, more than the {4} taken as safe: the loss may suffer.</source>
        <translation>{1}を {2} で {3} 倍に圧縮します。安全とみなす {4} 倍を超え、損失に影響する恐れがあります。</translation>
    </message>
    <message>
        <source>{1} through {2} without error feedback: what is not sent is lost, and the loss may suffer.</source>
        <translation>{1}を誤差フィードバックなしの {2} で送ります。送らない分は失われ、損失に影響する恐れがあります。</translation>
    </message>
    <message>
        <source>{1} times the pipeline stages</source>
        <translation>{1} × パイプラインステージ数</translation>
    </message>
    <message>
        <source>{1} to {2}</source>
        <translation>{1} ～ {2}</translation>
    </message>
    <message>
        <source>{1} to {2} %</source>
        <translation>{1}〜{2} %</translation>
    </message>
    <message>
        <source>{1} to {2} nodes</source>
        <translation>{1} ～ {2} ノード</translation>
    </message>
    <message>
        <source>{1} trains adapters alone. Nearest: tables not trained.</source>
        <translation>{1} はアダプタだけを学習します。最も近い値: テーブルを学習しない。</translation>
    </message>
    <message>
        <source>{1} updates in the backward pass where all weights are tuned. Nearest: updates_in_backward off.</source>
        <translation>{1} が逆伝播の中で更新するのは、全重みを学習するときです。最も近い値: updates_in_backward をオフ。</translation>
    </message>
    <message>
        <source>{1} wants all stages but the first and last to hold as many layers.</source>
        <translation>{1} では、最初と最後を除くすべてのステージの層数が同じでなければなりません。</translation>
    </message>
    <message>
        <source>{1} wants jobs to name a queue</source>
        <translation>{1} では、ジョブにキューの指定が必要です</translation>
    </message>
    <message>
        <source>{1} wants jobs to name an account (the project that pays)</source>
        <translation>{1} では、ジョブにアカウント（課金先の課題）の指定が必要です</translation>
    </message>
    <message>
        <source>{1} was cheapest for {2} ranks</source>
        <translation>{2} ランクでは{1}が最も安価</translation>
    </message>
    <message>
        <source>{1} was {2} slower than {3}: it was disturbed and does not count.</source>
        <translation>{1} は {3} より {2} 遅く、妨げられていたので数えません。</translation>
    </message>
    <message>
        <source>{1} x {2}</source>
        <translation>{1} × {2}</translation>
    </message>
    <message>
        <source>{1} x {2}, {3}</source>
        <translation>{1} x {2}、{3}</translation>
    </message>
    <message>
        <source>{1} {2} less</source>
        <translation>{1} {2} 減</translation>
    </message>
    <message>
        <source>{1} {2} more</source>
        <translation>{1} {2} 増</translation>
    </message>
    <message>
        <source>{1} {2}: the largest {3} has {4}</source>
        <translation>{1} {2}: {3}の最大は {4}</translation>
    </message>
    <message>
        <source>{1}'s adapters of fused matrices take queries, keys and values together, and gate with its branch. Nearest: these together, or no adapters of fused matrices.</source>
        <translation>{1} の融合行列のアダプタは、クエリ、キー、バリューをまとめて、またゲートをその枝とまとめて扱います。最も近い値: これらをまとめる、または融合行列のアダプタなし。</translation>
    </message>
    <message>
        <source>{1}'s distributed optimizer is ZeRO stage 1; stages 2 and 3 are DeepSpeed's or FSDP's. Nearest: 0, 1.</source>
        <translation>{1} の distributed optimizer は ZeRO ステージ 1 です。ステージ 2 と 3 は DeepSpeed または FSDP のものです。最も近い値: 0, 1。</translation>
    </message>
    <message>
        <source>{1}'s file here asks for no fp8. Nearest: bf16.</source>
        <translation>ここで書く {1} のファイルは fp8 を指定しません。最も近い値: bf16。</translation>
    </message>
    <message>
        <source>{1}'s file here keeps states on the device. Nearest: no offloading.</source>
        <translation>ここで書く {1} のファイルは状態をデバイスに置きます。最も近い値: オフロードなし。</translation>
    </message>
    <message>
        <source>{1}'s file here knows AdamW, its 8-bit form and SGD. Nearest: adam, adam-8bit, sgd.</source>
        <translation>ここで書く {1} のファイルは AdamW、その 8 ビット版、SGD に対応します。最も近い値: adam、adam-8bit、sgd。</translation>
    </message>
    <message>
        <source>{1}'s file here knows AdamW, its 8-bit form, Adafactor and SGD. Nearest: adam, adam-8bit.</source>
        <translation>ここで書く {1} のファイルは AdamW、その 8 ビット版、Adafactor、SGD に対応します。最も近い値: adam、adam-8bit。</translation>
    </message>
    <message>
        <source>{1}'s file here names no experts. Nearest: no adapters of routed experts.</source>
        <translation>ここで書く {1} のファイルはエキスパートを指定しません。最も近い値: ルーティングされるエキスパートのアダプタなし。</translation>
    </message>
    <message>
        <source>{1}'s file here names no mixers. Nearest: no adapters of other mixers.</source>
        <translation>ここで書く {1} のファイルはミキサーを指定しません。最も近い値: 他のミキサーのアダプタなし。</translation>
    </message>
    <message>
        <source>{1}'s file here shards over all devices. Nearest: shard group 0.</source>
        <translation>ここで書く {1} のファイルはすべてのデバイスに分割します。最も近い値: シャードグループ 0。</translation>
    </message>
    <message>
        <source>{1}'s file here shards with FSDP, gradients included. Nearest: ZeRO stage 2, 3.</source>
        <translation>ここで書く {1} のファイルは FSDP で勾配も含めて分割します。最も近い値: ZeRO ステージ 2、3。</translation>
    </message>
    <message>
        <source>{1}'s file here splits no model. Nearest: tensor, pipeline, context and expert parallel 1.</source>
        <translation>ここで書く {1} のファイルはモデルを分割しません。最も近い値: テンソル、パイプライン、コンテキスト、エキスパート並列 1。</translation>
    </message>
    <message>
        <source>{1}'s files here page no states. Nearest: paged_optimizer off.</source>
        <translation>{1} のここでのファイルは、状態をページ化しません。最も近い値: paged_optimizer をオフ。</translation>
    </message>
    <message>
        <source>{1}'s files here update after the backward pass. Nearest: updates_in_backward off.</source>
        <translation>{1} のここでのファイルは、逆伝播の後に更新します。最も近い値: updates_in_backward をオフ。</translation>
    </message>
    <message>
        <source>{1}'s files name a model that its code defines: here Llama 2 and 3, Mistral 7B, Gemma 1 and 2, Qwen2.5. This one it has not.</source>
        <translation>{1} のファイルはそのコードが定義するモデルを指定します(ここでは Llama 2 と 3、Mistral 7B、Gemma 1 と 2、Qwen2.5)。このモデルはありません。</translation>
    </message>
    <message>
        <source>{1}'s files of preference training are not written here, those of torchtune and axolotl are. Nearest: their software, or purpose finetune.</source>
        <translation>{1} の選好学習のファイルはここでは書き出されません。torchtune と axolotl のものは書き出されます。最も近いもの: それらのソフトウェア、または目的 finetune。</translation>
    </message>
    <message>
        <source>{1}'s fused kernels of adapters do not go with weights in int8. Nearest: nf4, or unfused adapters.</source>
        <translation>{1} のアダプターの融合カーネルは int8 の重みとは使えません。最も近い値: nf4、または融合しないアダプター。</translation>
    </message>
    <message>
        <source>{1}'s fused kernels of adapters take neither dropout nor magnitudes. Nearest: neither.</source>
        <translation>{1} のアダプターの融合カーネルは、ドロップアウトも大きさも扱いません。最も近いもの: どちらもなし。</translation>
    </message>
    <message>
        <source>{1}'s hybrid models know attention, Mamba-2, Gated DeltaNet, dense blocks and experts, one after the other and without windows.</source>
        <translation>{1} のハイブリッドモデルが扱うのは、ウィンドウなしで順に並んだアテンション、Mamba-2、Gated DeltaNet、密なブロック、エキスパートです。</translation>
    </message>
    <message>
        <source>{1}'s linear layers have biases all together, or on queries, keys and values alone.</source>
        <translation>{1} の線形層のバイアスは、すべてにあるか、クエリ、キー、バリューだけにあります。</translation>
    </message>
    <message>
        <source>{1}'s loss over pairs takes all tokens at once. Nearest: loss in 1 piece.</source>
        <translation>{1} の対の損失は、すべてのトークンを一度に扱います。最も近い値: 損失を 1 つで。</translation>
    </message>
    <message>
        <source>{1}'s names of latent attention are not written here.</source>
        <translation>{1} の潜在アテンションの名前はここでは書き出されません。</translation>
    </message>
    <message>
        <source>{1}'s reference model is the model without its adapters, or a copy beside all weights. Nearest: these.</source>
        <translation>{1} の参照モデルは、アダプターを切ったモデルか、すべての重みの横の複製です。最も近い値: これら。</translation>
    </message>
    <message>
        <source>{1}'s script would train from nothing, and none is written for fine-tuning with {2}. Software that has one: {3}.</source>
        <translation>{1} のスクリプトは最初から学習してしまい、{2} によるファインチューニング用のスクリプトはありません。書き出せるソフトウェア: {3}。</translation>
    </message>
    <message>
        <source>{1}'s script would train from nothing. Fine-tuning with this plan's software is written for {2}.</source>
        <translation>{1} のスクリプトは最初から学習してしまいます。この計画のソフトウェアによるファインチューニングは {2} 用に書き出します。</translation>
    </message>
    <message>
        <source>{1}'s settings here name no magnitudes (DoRA). Nearest: none.</source>
        <translation>ここでの {1} の設定は、大きさ（DoRA）を指定しません。最も近いもの: なし。</translation>
    </message>
    <message>
        <source>{1}'s switches here keep everything but the optimizer of ZeRO stage 1 on the device, and activations by module. Nearest: no offloading.</source>
        <translation>ここでの {1} のスイッチは、ZeRO ステージ 1 のオプティマイザとモジュールごとのアクティベーション以外のすべてをデバイスに置きます。最も近い値: オフロードなし。</translation>
    </message>
    <message>
        <source>{1}'s switches know gelu, swiglu and squared_relu.</source>
        <translation>{1} の引数が扱えるのは gelu、swiglu、squared_relu です。</translation>
    </message>
    <message>
        <source>{1}, after recomputation</source>
        <translation>{1}、再計算後</translation>
    </message>
    <message>
        <source>{1}, and {2}</source>
        <translation>{1}、{2}</translation>
    </message>
    <message>
        <source>{1}, at the cluster's speed</source>
        <translation>{1}、クラスタの速度で</translation>
    </message>
    <message>
        <source>{1}, between nodes</source>
        <translation>{1}、ノード間</translation>
    </message>
    <message>
        <source>{1}, but the layout asks for {2} = {3} (tensor x context x data x pipeline).</source>
        <translation>{1}に対し、並列構成は {2} = {3}（テンソル × コンテキスト × データ × パイプライン）を求めます。</translation>
    </message>
    <message>
        <source>{1}, cut off</source>
        <translation>{1}、途中で切れています</translation>
    </message>
    <message>
        <source>{1}, ended without saying how</source>
        <translation>{1}、終わり方の記録なし</translation>
    </message>
    <message>
        <source>{1}, ended {2}</source>
        <translation>{1}、終了状態 {2}</translation>
    </message>
    <message>
        <source>{1}, expected {2} as in the header</source>
        <translation>{1}がありますが、ヘッダと同じ {2} 個が必要です</translation>
    </message>
    <message>
        <source>{1}, in 16 bits</source>
        <translation>{1}、16 ビット</translation>
    </message>
    <message>
        <source>{1}, measured</source>
        <translation>{1}、実測</translation>
    </message>
    <message>
        <source>{1}, of shared weights</source>
        <translation>{1}、重みを共有</translation>
    </message>
    <message>
        <source>{1}, of {2} alone</source>
        <translation>{1}（{2} のみ）</translation>
    </message>
    <message>
        <source>{1}, on the rank with the longest rows</source>
        <translation>{1}、行が最も長いランクで</translation>
    </message>
    <message>
        <source>{1}, one for each core.</source>
        <translation>{1}（コア 1 個につき 1）。</translation>
    </message>
    <message>
        <source>{1}, or data_parallel in its place</source>
        <translation>{1}、または代わりに data_parallel</translation>
    </message>
    <message>
        <source>{1}, over the iteration reduction {2} set for this optimizer</source>
        <translation>{1}、このオプティマイザの反復削減率 {2} で割る</translation>
    </message>
    <message>
        <source>{1}, policy of {2}</source>
        <translation>{1}、{2} の規程</translation>
    </message>
    <message>
        <source>{1}, predicted</source>
        <translation>{1}、予測</translation>
    </message>
    <message>
        <source>{1}, the machine of the plan, is calibrated by Start on that computer itself, on its GPUs ({2}).</source>
        <translation>計画の計算機 {1} は、その計算機で「開始」を押すと、その GPU（{2}）で較正されます。</translation>
    </message>
    <message>
        <source>{1}, the machine of the plan, is calibrated by Start on that computer itself, on its processors.</source>
        <translation>計画の計算機 {1} は、その計算機で「開始」を押すと、そのプロセッサで較正されます。</translation>
    </message>
    <message>
        <source>{1}, the machine of the plan, is calibrated by a job (Batch job): a {2} script for {3} with {4} each, {5}. Start measures this computer.</source>
        <translation>計画の計算機 {1} は、ジョブで較正されます（「バッチジョブ」）。{2} のスクリプト、{3}、各 {4}、{5}。「開始」はこの計算機を測定します。</translation>
    </message>
    <message>
        <source>{1}, the machine of the plan, is not calibrated: {2} (what works: Batch job). Start measures this computer.</source>
        <translation>計画の計算機 {1} は較正できません: {2}（使えるもの: 「バッチジョブ」）。「開始」はこの計算機を測定します。</translation>
    </message>
    <message>
        <source>{1}, the plan</source>
        <translation>{1}(この計画)</translation>
    </message>
    <message>
        <source>{1}, the slowest level</source>
        <translation>{1}、最も遅い階層</translation>
    </message>
    <message>
        <source>{1}, twice that in a ring,</source>
        <translation>{1}（リングではその 2 倍）</translation>
    </message>
    <message>
        <source>{1}, two thirds within {2} % instead of {3} %</source>
        <translation>{1}、3 分の 2 が {3} % ではなく {2} % 以内</translation>
    </message>
    <message>
        <source>{1}, with a window</source>
        <translation>{1}（窓あり）</translation>
    </message>
    <message>
        <source>{1}, with {2}</source>
        <translation>{1}と{2}</translation>
    </message>
    <message>
        <source>{1}, without a window</source>
        <translation>{1}（窓なし）</translation>
    </message>
    <message>
        <source>{1}, {2}</source>
        <translation>{1}、{2}</translation>
    </message>
    <message>
        <source>{1}, {2} % too much</source>
        <translation>{1}、{2} % 超過</translation>
    </message>
    <message>
        <source>{1}, {2} of a step and {3} of the devices' energy</source>
        <translation>{1}、ステップの {2}、デバイスのエネルギーの {3}</translation>
    </message>
    <message>
        <source>{1}, {2} to {3} in two of three cases ({4})</source>
        <translation>{1}、3 回に 2 回は {2} ～ {3}（{4}）</translation>
    </message>
    <message>
        <source>{1}-hours</source>
        <translation>{1} 時間</translation>
    </message>
    <message>
        <source>{1}.</source>
        <translation>{1}。</translation>
    </message>
    <message>
        <source>{1}. The plan's {2} lie beyond: extrapolated.</source>
        <translation>{1}。計画の {2} はその外にあり、外挿です。</translation>
    </message>
    <message>
        <source>{1}: although {2}</source>
        <translation>{1}（ただし {2}）</translation>
    </message>
    <message>
        <source>{1}: beside the next one it tells a layer from ends, optimizer and start.</source>
        <translation>{1}: 次の実行と並べると、層の時間を、両端、オプティマイザ、開始の時間から分けられます。</translation>
    </message>
    <message>
        <source>{1}: can be read</source>
        <translation>{1}: 読めます</translation>
    </message>
    <message>
        <source>{1}: can be read, of {2}</source>
        <translation>{1}: 読めます（対象: {2}）</translation>
    </message>
    <message>
        <source>{1}: cannot be read</source>
        <translation>{1}: 読めません</translation>
    </message>
    <message>
        <source>{1}: how far a layer's error reaches.</source>
        <translation>{1}: 層の誤差がどこまで続くか。</translation>
    </message>
    <message>
        <source>{1}: its experiment gave no point that could be used</source>
        <translation>{1}: その実験から使える測定点が得られませんでした</translation>
    </message>
    <message>
        <source>{1}: more than {2} values</source>
        <translation>{1}: 値が {2} 個を超えています</translation>
    </message>
    <message>
        <source>{1}: needs {2} of a device, which has {3}; a device with more memory works</source>
        <translation>{1}: デバイスに {2} 必要ですが、{3} しかありません。メモリのより大きいデバイスなら動きます</translation>
    </message>
    <message>
        <source>{1}: nested deeper than {2} levels</source>
        <translation>{1}: 入れ子が {2} 段を超えています</translation>
    </message>
    <message>
        <source>{1}: not JSON: {2}</source>
        <translation>{1}: JSON ではありません: {2}</translation>
    </message>
    <message>
        <source>{1}: number {2} is too large</source>
        <translation>{1}: 数値 {2} は大きすぎます</translation>
    </message>
    <message>
        <source>{1}: one charged hour is one hour of one device.</source>
        <translation>{1}：課金される 1 時間はデバイス 1 個の 1 時間です。</translation>
    </message>
    <message>
        <source>{1}: one charged hour is one hour of one {2}, which is {3} here.</source>
        <translation>{1}：課金される 1 時間は {2} 1 個の 1 時間で、ここでは {3} にあたります。</translation>
    </message>
    <message>
        <source>{1}: passes wait</source>
        <translation>{1}: パスが待ちます</translation>
    </message>
    <message>
        <source>{1}: the codec costs more time than it saves, {2} a transfer against {3}.</source>
        <translation>{1}: コーデックは節約より多くの時間を使います。1 回の転送は {3} に対して {2} です。</translation>
    </message>
    <message>
        <source>{1}: the error of these layers.</source>
        <translation>{1}: これらの層の誤差。</translation>
    </message>
    <message>
        <source>{1}: what the network between nodes adds.</source>
        <translation>{1}: ノード間のネットワークが加える時間。</translation>
    </message>
    <message>
        <source>{1}: {2}</source>
        <translation>{1}: {2}</translation>
    </message>
    <message>
        <source>{1}: {2} in the log, {3} in the probe</source>
        <translation>{1}: ログでは {2}、短い実行では {3}</translation>
    </message>
    <message>
        <source>{1}: {2}, in the mean {3}</source>
        <translation>{1}: {2}、平均 {3}</translation>
    </message>
    <message>
        <source>{1}: {2}.</source>
        <translation>{1}: {2}。</translation>
    </message>
    <message>
        <source>{1}: {2}. Better: {3}.</source>
        <translation>{1}: {2}。推奨: {3}。</translation>
    </message>
    <message>
        <source>{1}; a value is encoded {2} times.</source>
        <translation>{1}。1 つの値は {2} 回符号化されます。</translation>
    </message>
    <message>
        <source>{1}; but {2}</source>
        <translation>{1}、ただし {2}</translation>
    </message>
    <message>
        <source>{1}; the range is widened for it, from {2} % to {3} %</source>
        <translation>{1}。このため範囲を {2} % から {3} % に広げています</translation>
    </message>
    <message>
        <source>{1}; the site charges node-hours.</source>
        <translation>{1}。センターの課金単位はノード時間です。</translation>
    </message>
    <message>
        <source>{1}; the site charges {2} {3} per node-hour</source>
        <translation>{1}。センターは 1 ノード時間あたり {2} {3} を課金します</translation>
    </message>
    <message>
        <source>{1}; with the stages listed as {2} a step takes {3} % less</source>
        <translation>{1}。ステージを {2} と並べると、1 ステップの時間が {3} % 短くなります</translation>
    </message>
    <message>
        <source>{1}; {2}.</source>
        <translation>{1}。{2}。</translation>
    </message>
    <message>
        <source>−</source>
        <translation>−</translation>
    </message>
</context>
</TS>
