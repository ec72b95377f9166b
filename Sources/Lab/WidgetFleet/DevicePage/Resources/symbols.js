"use strict";
// Simple drawings for common symbols of the system, in a box of 24 x 24, of lines that are 2 wide. A row has names, and
// then the body, which `.fill` fills, and after `|` the details, which are cut out of a filled body. Besides SVG's
// commands, `O x y r` is a circle, and `R x y width height radius` a rectangle. Rules make the variants: `.circle`,
// `.square`, `.slash` and `.fill`, and what follows a known name is left out (`.badge.plus`).

const symbolRows = `
airplane|M12 3v18M12 9 3 14M12 9l9 5M9 21l3-2 3 2
airpods airpodspro headphones:R4 13 4 7 2R16 13 4 7 2|M4 16v-4a8 8 0 0 1 16 0v4
alarm:O12 13 7|M12 9v4l3 2M3 6l3-3M21 6l-3-3
app app.dashed:R4 4 16 16 4
applelogo apple.logo:M12 8c-3-2-7 0-7 5 0 4 3 8 5 8 1 0 1-1 2-1s1 1 2 1c2 0 5-4 5-8 0-5-4-7-7-5Z|M12 7c0-2 1-4 3-4
archivebox:M5 9h14v11H5ZR3 4 18 5 1|M10 13h4
arrow.clockwise arrow.triangle.2.circlepath arrow.2.circlepath arrow.circlepath goforward|M20 12a8 8 0 1 1-3-6l3 2M20 3v5h-5
arrow.counterclockwise gobackward arrow.uturn.backward|M4 12a8 8 0 1 0 3-6L4 8M4 3v5h5
arrow.down|M12 4v16M6 14l6 6 6-6
arrow.down.left|M18 6 6 18M6 9v9h9
arrow.down.right|M6 6l12 12M18 9v9H9
arrow.left|M20 12H4M10 6l-6 6 6 6
arrow.left.arrow.right arrow.left.and.right|M4 8h16l-4-4M20 16H4l4 4
arrow.right|M4 12h16M14 6l6 6-6 6
arrow.turn.up.right arrowshape.turn.up.right|M4 20v-6a4 4 0 0 1 4-4h12M15 5l5 5-5 5
arrow.up|M12 20V4M6 10l6-6 6 6
arrow.up.arrow.down arrow.up.and.down|M8 20V4L4 8M16 4v16l4-4
arrow.up.left|M18 18 6 6M6 15V6h9
arrow.up.right|M6 18 18 6M9 6h9v9
arrow.up.forward.app:R4 4 16 16 4|M9 15l6-6M10 9h5v5
arrowtriangle.down:M5 8h14l-7 10Z
arrowtriangle.left:M16 5v14L6 12Z
arrowtriangle.right:M8 5v14l10-7Z
arrowtriangle.up:M5 16h14L12 6Z
at|O12 12 4M16 8v5a3 3 0 0 0 5-1 9 9 0 1 0-4 7
bag handbag:M5 8h14l1 13H4Z|M9 10V7a3 3 0 0 1 6 0v3
banknote dollarsign.bill:R2 6 20 12 2|O12 12 3
barometer gauge gauge.medium speedometer gauge.with.dots.needle.50percent:O12 12 9|M12 13l4-5M6 14h1M17 14h1
basket cart:M3 5h3l2 10h10l2-7H7|O9 19 1O17 19 1
battery.0 battery.0percent:R2 8 17 9 2|M22 11v3
battery.25 battery.25percent:R2 8 17 9 2|M22 11v3M6 11v3
battery.50 battery.50percent:R2 8 17 9 2|M22 11v3M6 11v3M10 11v3
battery.75 battery.75percent:R2 8 17 9 2|M22 11v3M6 11v3M10 11v3M14 11v1
battery.100 battery.100percent:R2 8 17 9 2|M22 11v3M6 11v3M9 11v3M12 11v3M15 11v3
bed.double:M3 18v-6h18v6M5 12V6h14v6|M3 18v2M21 18v2
bell alarm.bell:M5 17c2-2 2-4 2-7a5 5 0 0 1 10 0c0 3 0 5 2 7Z|M10 20a2 2 0 0 0 4 0
bicycle figure.outdoor.cycle|O6 16 4O18 16 4M6 16l4-8h6l2 8M9 8H7M10 16l6-8
bitcoinsign|M8 5v14h6a3 3 0 0 0 0-7 3 3 0 0 0 0-7ZM8 12h6M10 3v2M10 19v2M13 3v2M13 19v2
bolt bolt.horizontal:M13 2 5 14h6l-1 8 9-13h-6Z
book:M12 6c-3-2-6-2-9-1v14c3-1 6-1 9 1 3-2 6-2 9-1V5c-3-1-6-1-9 1Z|M12 6v14
book.closed books.vertical text.book.closed:M6 3h13v18H7a2 2 0 0 1-2-2V5Z|M6 17h13
bookmark:M6 3h12v18l-6-5-6 5Z
brain brain.head.profile:M12 5a4 4 0 0 0-7 3 4 4 0 0 0 0 7 4 4 0 0 0 7 4 4 4 0 0 0 7-4 4 4 0 0 0 0-7 4 4 0 0 0-7-3Z|M12 5v14
briefcase case suitcase:R3 8 18 12 2|M9 8V5h6v3M3 13h18
bubble.left bubble.right message quote.bubble text.bubble:M12 4c5 0 9 3 9 7s-4 7-9 7l-5 3v-4c-2-1-4-3-4-6 0-4 4-7 9-7Z
building building.2 building.columns:M5 21V4h9v17ZM14 21V10h5v11Z|M8 8h3M8 12h3M8 16h3
bus tram:R5 4 14 14 3|M5 12h14M8 18v3M16 18v3
calendar:R3 5 18 16 2|M3 10h18M8 3v4M16 3v4
camera:M4 7h4l2-3h4l2 3h4v13H4Z|O12 13 4
capsule:R3 8 18 8 4
capsule.portrait pill pills:R8 3 8 18 4|M8 12h8
car car.side truck.box:M4 17v-5l2-6h12l2 6v5Z|M4 12h16M7 17v3M17 17v3
cat dog pawprint hare tortoise:M12 12c-4 0-6 4-5 7 1 2 3 1 5 1s4 1 5-1c1-3-1-7-5-7ZO6 10 2O10 6 2O14 6 2O18 10 2
chart.bar chart.bar.xaxis cellularbars:R4 12 3 8 1R10 7 3 13 1R16 3 3 17 1
chart.line.uptrend.xyaxis chart.xyaxis.line|M3 3v18h18M7 15l4-5 3 3 6-7
chart.line.downtrend.xyaxis|M3 3v18h18M7 7l4 5 3-3 6 7
chart.pie:M12 3a9 9 0 1 0 9 9h-9Z|M16 3a9 9 0 0 1 5 5h-5Z
checklist list.bullet.clipboard|M3 6l2 2 3-4M3 16l2 2 3-4M12 6h9M12 17h9
checkmark|M4 13l5 5L20 6
checkmark.seal seal:M12 2l3 3h4v4l3 3-3 3v4h-4l-3 3-3-3H5v-4l-3-3 3-3V5h4Z|M8 12l3 3 5-6
checkmark.shield shield lock.shield:M12 2l8 3v7c0 5-4 8-8 10-4-2-8-5-8-10V5Z|M8 12l3 3 5-6
chevron.backward chevron.left chevron.compact.left|M15 4l-8 8 8 8
chevron.down|M4 9l8 8 8-8
chevron.forward chevron.right chevron.compact.right|M9 4l8 8-8 8
chevron.up|M4 15l8-8 8 8
chevron.up.chevron.down|M7 9l5-5 5 5M7 15l5 5 5-5
circle:O12 12 9
circle.grid.3x3 circle.grid.2x2 square.grid.3x3 rectangle.grid.3x2:O6 6 2O12 6 2O18 6 2O6 12 2O12 12 2O18 12 2O6 18 2O12 18 2O18 18 2
circle.lefthalf.filled circle.righthalf.filled:M12 3a9 9 0 0 0 0 18Z|O12 12 9
clipboard doc.on.clipboard list.clipboard:R5 5 14 16 2|R9 3 6 4 1
clock timer stopwatch hourglass.clock:O12 12 9|M12 7v5l4 2
clock.arrow.circlepath|M4 12a8 8 0 1 0 3-6L4 8M4 3v5h5M12 8v4l3 2
cloud icloud smoke cloud.fog:M7 19a5 5 0 0 1 0-10 6 6 0 0 1 11 1 4 4 0 0 1 0 9Z
cloud.bolt cloud.bolt.rain:M7 15a5 5 0 0 1 0-9 6 6 0 0 1 11 1 4 4 0 0 1 0 8Z|M13 13l-3 5h4l-3 4
cloud.drizzle cloud.rain cloud.heavyrain cloud.hail:M7 15a5 5 0 0 1 0-9 6 6 0 0 1 11 1 4 4 0 0 1 0 8Z|M8 18l-1 3M13 18l-1 3M18 18l-1 3
cloud.moon:M6 20a4 4 0 0 1 0-8 5 5 0 0 1 9 1 4 4 0 0 1 0 7Z|M15 3a6 6 0 0 0 6 8
cloud.snow snowflake.cloud:M7 15a5 5 0 0 1 0-9 6 6 0 0 1 11 1 4 4 0 0 1 0 8Z|M8 19v.1M12 21v.1M16 19v.1
cloud.sun:M6 20a4 4 0 0 1 0-8 5 5 0 0 1 9 1 4 4 0 0 1 0 7Z|M13 8a4 4 0 0 1 6 5M16 2v2M21 6l-1 1
cpu memorychip:R6 6 12 12 2|R10 10 4 4 1M9 2v4M15 2v4M9 18v4M15 18v4M2 9h4M2 15h4M18 9h4M18 15h4
creditcard wallet.pass:R2 5 20 14 2|M2 10h20M6 15h4
crown:M3 18 2 7l6 4 4-7 4 7 6-4-1 11Z
cube shippingbox:M12 2l9 5v10l-9 5-9-5V7Z|M3 7l9 5 9-5M12 12v10
cup.and.saucer mug takeoutbag.and.cup.and.straw:M4 6h13v7a6 6 0 0 1-6 6h-1a6 6 0 0 1-6-6Z|M17 8h2a2 2 0 0 1 0 5h-2M3 21h15
desktopcomputer display tv:R2 4 20 13 2|M8 21h8M12 17v4
dial.low dial.high dial.medium:O12 12 9|M12 12l4-4
diamond suit.diamond:M12 2l9 10-9 10-9-10Z
die.face.5 dice:R4 4 16 16 3|M8 8v.1M16 8v.1M12 12v.1M8 16v.1M16 16v.1
doc doc.text doc.plaintext note.text newspaper text.document:M5 2h9l5 5v15H5Z|M8 12h8M8 16h8
dollarsign|M16 7c-1-2-7-3-7 1 0 5 8 2 8 7 0 4-7 3-9 1M12 2v20
dot.radiowaves.left.and.right antenna.radiowaves.left.and.right|O12 12 1M8 8a6 6 0 0 0 0 8M16 8a6 6 0 0 1 0 8M5 5a10 10 0 0 0 0 14M19 5a10 10 0 0 1 0 14
drop humidity drop.triangle:M12 2c4 5 7 8 7 12a7 7 0 0 1-14 0c0-4 3-7 7-12Z
ear:M7 9a5 5 0 0 1 10 0c0 5-5 5-5 9a3 3 0 0 1-5 1|M10 10a2 2 0 0 1 4 0
ellipsis|O5 12 1O12 12 1O19 12 1
envelope mail:R2 5 20 14 2|M2 7l10 7 10-7
equal|M5 9h14M5 15h14
eurosign|M18 6a7 7 0 1 0 0 12M3 10h11M3 14h11
exclamationmark|M12 4v10M12 19v.1
exclamationmark.triangle:M12 3l10 18H2Z|M12 10v5M12 18v.1
eye:M2 12c5-8 15-8 20 0-5 8-15 8-20 0Z|O12 12 3
eyeglasses|O6 14 4O18 14 4M10 14c1-2 3-2 4 0M2 14l3-8M22 14l-3-8
face.smiling smiley:O12 12 9|M8 14c2 4 6 4 8 0M9 9v.1M15 9v.1
faxmachine printer:M4 9h16v9H4Z|M7 9V3h10v6M7 15h10v6H7Z
fan fanblades|O12 12 2M12 10c-4-4 0-8 3-6M14 12c4-4 8 0 6 3M12 14c4 4 0 8-3 6M10 12c-4 4-8 0-6-3
figure.run figure.walk figure.stand figure:O13 4 2|M13 8l-3 6 4 3 1 5M10 14l-2 7M13 9l4 4M12 9l-4 3
film video.square:R3 4 18 16 2|M8 4v16M16 4v16M3 12h18
flag:M5 3h13l-3 5 3 5H5Z|M5 3v18
flame:M12 2c1 5 6 7 6 13a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 2 3 4 2-3 2-6 1-10Z
flashlight.on:M7 3h10l-2 6v12H9V9Z|M12 13v2
folder:M3 5h7l2 3h9v12H3Z
fork.knife|M7 3v18M4 3v5c0 3 6 3 6 0V3M17 21V3c-3 2-4 6-4 10h4
forward fastforward forward.end:M3 6l9 6-9 6ZM12 6l9 6-9 6Z
backward rewind backward.end:M21 6l-9 6 9 6ZM12 6l-9 6 9 6Z
function x.squareroot|M4 14l3 6 5-16h8
gamecontroller:M7 8h10c4 0 5 10 2 10-2 0-3-3-4-3H9c-1 0-2 3-4 3-3 0-2-10 2-10Z|M7 12h3M16 11v.1M16 13v.1
gear gearshape gearshape.2:M10 2h4l1 3 3 1 3-1 1 4-2 3 2 3-1 4-3-1-3 1-1 3h-4l-1-3-3-1-3 1-1-4 2-3-2-3 1-4 3 1 3-1Z|O12 12 3
gift:M4 12h16v9H4ZR3 8 18 4 1|M12 8v13M12 8c-6 0-6-6-3-5 2 1 3 5 3 5s1-4 3-5c3-1 3 5-3 5
globe network:O12 12 9|M3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18
graduationcap:M12 4l11 5-11 5L1 9Z|M6 12v5c4 3 8 3 12 0v-5
hammer wrench wrench.and.screwdriver screwdriver:M13 3l7 7-3 3-7-7Z|M11 9 3 19l2 2 10-8
hand.raised hand.tap hands.clap hands.sparkles:M7 12V6a1 1 0 0 1 3 0V4a1 1 0 0 1 3 0v1a1 1 0 0 1 3 0v2a1 1 0 0 1 3 0v8a7 7 0 0 1-13 3l-3-6c1-1 2-1 4 2Z
hand.thumbsdown:M17 4v10H8l1 5c0 2-2 3-3 1L3 14V6l3-2Z|M17 4h4v10h-4
hand.thumbsup:M7 20V10l4-7c2-1 3 1 2 4h7v9l-3 4Z|M7 10H3v10h4
heart suit.heart heart.text.square:M12 21C3 15 1 10 3 6c2-3 7-3 9 1 2-4 7-4 9-1 2 4 0 9-9 15Z
hexagon:M7 3h10l5 9-5 9H7l-5-9Z
hourglass:M6 3h12c0 5-4 6-4 9s4 4 4 9H6c0-5 4-6 4-9S6 8 6 3Z
house homekit:M3 11l9-8 9 8v10h-6v-6H9v6H3Z
info|M12 10v9M12 5v.1
iphone ipad apps.iphone candybarphone:R6 2 12 20 3|M11 18h2
key:O7 14 4|M10 11l9-9M15 6l3 3
keyboard:R2 6 20 12 2|M6 10v.1M10 10v.1M14 10v.1M18 10v.1M8 14h8
ladybug ant:O12 13 6|M12 7v12M8 4l2 3M16 4l-2 3M3 13h3M18 13h3
lamp.desk lamp.floor lamp.table:M8 3h8l3 9H5Z|M12 12v8M8 21h8
laptopcomputer macbook:R4 5 16 11 2|M2 20h20
leaf:M4 20C3 9 9 4 20 4c1 11-4 17-13 14Z|M4 20C8 14 11 12 14 10
lightbulb lightbulb.max:M9 17c0-3-3-4-3-8a6 6 0 0 1 12 0c0 4-3 5-3 8Z|M9 21h6
line.3.horizontal text.alignleft text.justify line.horizontal.3|M4 6h16M4 12h16M4 18h16
line.3.horizontal.decrease|M4 7h16M7 12h10M10 17h4
link personalhotspot|M10 14l4-4M9 8l2-2a4 4 0 0 1 7 6l-2 2M15 16l-2 2a4 4 0 0 1-7-6l2-2
list.bullet list.dash|M8 6h12M8 12h12M8 18h12M4 6v.1M4 12v.1M4 18v.1
list.number|M9 6h11M9 12h11M9 18h11M4 4v4M3 11h2l-2 3h2M3 17h2v3H3
location paperplane location.north:M21 3l-6 18-4-8-8-4Z
lock:R5 10 14 11 2|M8 10V7a4 4 0 0 1 8 0v3
lock.open:R5 10 14 11 2|M8 10V7a4 4 0 0 1 8-1
magnifyingglass:O10 10 6|M15 15l6 6
map:M3 6l6-3 6 3 6-3v15l-6 3-6-3-6 3Z|M9 3v15M15 6v15
mappin mappin.and.ellipse pin:M12 22c-4-6-7-8-7-12a7 7 0 0 1 14 0c0 4-3 6-7 12Z|O12 10 2
medal rosette trophy.circle:O12 15 6|M9 9 6 2M15 9l3-7M10 2l2 4 2-4
megaphone speaker.badge:M3 10v4h4l12 5V5L7 10Z|M8 14l2 6
mic mic.circle:R9 2 6 12 3|M5 11a7 7 0 0 0 14 0M12 18v4M8 22h8
minus|M4 12h16
moon moon.stars moon.zzz:M20 14A9 9 0 1 1 10 4a7 7 0 0 0 10 10Z
mountain.2 triangle.mountain:M2 20 9 6l4 7 3-4 6 11Z
music.mic|M5 19l9-9M14 3a5 5 0 0 1 7 7l-4 1-4-4Z
music.note music.note.list music.quarternote.3:O7 18 3O17 16 3|M10 18V6l10-2v12
network.badge.shield.half.filled wifi|M2 9a15 15 0 0 1 20 0M5 13a10 10 0 0 1 14 0M9 17a5 5 0 0 1 6 0M12 20v.1
nosign|O12 12 9M6 6l12 12
number|M9 4 7 20M17 4l-2 16M4 9h16M4 15h16
octagon:M8 3h8l5 5v8l-5 5H8l-5-5V8Z
paintbrush paintpalette pencil.and.outline:M20 3C12 8 9 12 9 14l2 2c2 0 6-4 10-12Z|M8 15c-3 0-3 3-5 5 4 1 8 0 7-3
paperclip|M19 11l-7 8a5 5 0 0 1-8-7l8-8a3 3 0 0 1 5 5l-8 8a1 1 0 0 1-2-2l7-7
pause:R6 5 3 14 1R15 5 3 14 1
pencil square.and.pencil highlighter:M4 20l1-5L17 3l4 4L9 19Z|M14 6l4 4
pencil.slash scribble signature|M3 17c3-8 6-13 7-9 1 3-4 9-1 9s4-8 6-7 0 5 2 5 2-2 4-3
percent|M19 5 5 19M7 9v.1M17 17v.1O7 7 2O17 17 2
person:O12 8 4M4 21c0-9 16-9 16 0Z
person.2 person.3 person.crop:O9 8 4M2 20c0-8 14-8 14 0Z|M16 4a4 4 0 0 1 0 8M18 14c3 1 4 3 4 6
phone:M6 3l4 1 1 5-3 2c1 3 3 5 5 6l2-3 5 2v4c0 2-3 2-5 1C9 19 4 13 3 7c0-2 1-4 3-4Z
photo photo.on.rectangle:R3 4 18 16 2|M3 17l6-6 5 5 3-2 4 3M16 9v.1
play:M7 4l13 8-13 8Z
playpause:M3 5l9 7-9 7Z|M15 5v14M20 5v14
plus|M12 4v16M4 12h16
plus.forwardslash.minus plusminus|M12 3v10M7 8h10M7 19h10
powerplug bolt.plug:M7 8h10v4a5 5 0 0 1-10 0Z|M9 3v5M15 3v5M12 17v5
power|M7 6a8 8 0 1 0 10 0M12 2v9
puzzlepiece puzzlepiece.extension:M4 8h4c-2-6 8-6 6 0h6v5c-5-2-5 7 0 5v3H4Z
qrcode barcode qrcode.viewfinder:R3 3 7 7 1R14 3 7 7 1R3 14 7 7 1|M14 14h3v3M21 14v7h-7
questionmark|M8 8c0-6 9-5 8 0-1 3-4 3-4 7M12 19v.1
quote.opening quote.closing:M4 17c0-5 1-8 5-10v10ZM14 17c0-5 1-8 5-10v10Z
radio:R3 9 18 11 2|O16 14 2M6 13h4M5 9l12-5
rectangle rectangle.portrait:R3 6 18 12 2
rectangle.stack square.stack square.on.square rectangle.on.rectangle:R4 10 16 10 2|M6 7h12M8 4h8
repeat repeat.1 arrow.rectanglepath|M4 11V8a2 2 0 0 1 2-2h14l-3-3M20 13v3a2 2 0 0 1-2 2H4l3 3
rhombus:M12 2l9 10-9 10-9-10Z
ruler:M3 15 15 3l6 6L9 21Z|M7 11l2 2M10 8l2 2M13 5l2 2
scalemass:M6 8h12l3 13H3Z|O12 5 2
scissors|O6 6 3O6 18 3M8 8l12 10M8 16 20 6
server.rack externaldrive internaldrive:R3 4 18 7 2R3 13 18 7 2|M7 7v.1M7 16v.1
shuffle|M3 6h4l10 12h4l-3-3M3 18h4L17 6h4l-3 3M21 18l-3 3M21 6l-3-3
sidebar.left:R3 4 18 16 2|M9 4v16
slider.horizontal.3 switch.2|M3 6h18M3 12h18M3 18h18O8 6 2O16 12 2O8 18 2
snowflake thermometer.snowflake|M12 2v20M3 7l18 10M21 7 3 17
sofa chair:M5 11V6h14v5M3 11v8h18v-8h-3v4H6v-4Z
sparkle sparkles wand.and.stars:M12 2c1 7 3 9 10 10-7 1-9 3-10 10-1-7-3-9-10-10 7-1 9-3 10-10Z
speaker speaker.zzz:M3 9h4l6-5v16l-6-5H3Z
speaker.wave.1 speaker.wave.2 speaker.wave.3:M3 9h4l6-5v16l-6-5H3Z|M16 8a6 6 0 0 1 0 8M19 5a10 10 0 0 1 0 14
sportscourt soccerball basketball football tennisball figure.soccer:R2 5 20 14 2|M12 5v14O12 12 3
square:R4 4 16 16 2
square.and.arrow.down:M8 10H4v11h16V10h-4|M12 3v12M8 11l4 4 4-4
square.and.arrow.up:M8 10H4v11h16V10h-4|M12 15V3M8 7l4-4 4 4
square.grid.2x2:R4 4 6 6 1R14 4 6 6 1R4 14 6 6 1R14 14 6 6 1
star:M12 2l3 7 7 .6-5.400 4.800L18.400 22 12 18l-6.400 4 1.800-7.600L2 9.600 9 9Z
star.leadinghalf.filled:M12 2v16l-6.400 4 1.800-7.600L2 9.600 9 9Z|M12 2l3 7 7 .6-5.400 4.800L18.400 22 12 18
stethoscope cross.case:M4 3v6a4 4 0 0 0 8 0V3|M8 13v3a5 5 0 0 0 10 0v-3O18 11 2
stop:R5 5 14 14 2
storefront cart.badge:M4 10v11h16V10M3 10l2-6h14l2 6Z|M10 21v-6h4v6
cross staroflife:M9 3h6v6h6v6h-6v6H9v-6H3V9h6Z
sun.dust sun.haze sun.horizon sunrise sunset:M6 17a6 6 0 0 1 12 0Z|M2 17h20M12 4v4M4 9l2 2M20 9l-2 2M7 21h10
sun.max sun.min:O12 12 4|M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2
syringe:M9 7l8 8-4 4-8-8Z|M15 5l4 4M13 11l8-8M9 15l-6 6
tag ticket:M3 3h9l9 9-9 9-9-9Z|M8 8v.1
target scope viewfinder:O12 12 9|O12 12 5O12 12 1
text.quote textformat character character.book.closed|M3 19 8 5h1l5 14M5 14h7M15 12a3 3 0 0 1 6 0v7M21 15c-6-1-7 4-4 4 2 0 4-1 4-3
textformat.size|M2 19 8 5l6 14M4 14h8M14 19l4-9 4 9M15 16h6
thermometer thermometer.medium thermometer.sun:M9 4a3 3 0 0 1 6 0v10a5 5 0 1 1-6 0Z|M12 8v9
tornado hurricane|M3 5h18M5 9h14M8 13h9M10 17h5M12 21h2
train.side.front.car lightrail:R5 3 14 14 4|M5 11h14M8 21l2-4M16 21l-2-4
trash:M6 7h12l-1 14H7Z|M3 7h18M9 7V4h6v3M10 11v6M14 11v6
tray:M3 13l3-8h12l3 8v6H3Z|M3 13h5l2 3h4l2-3h5
tree:M12 2l7 9h-4l5 7H4l5-7H5Z|M12 18v4
triangle:M12 4l10 16H2Z
trophy:M7 3h10v7a5 5 0 0 1-10 0Z|M7 5H3c0 4 1 6 4 6M17 5h4c0 4-1 6-4 6M12 15v4M8 21h8
umbrella:M2 12a10 10 0 0 1 20 0Z|M12 12v7a2 2 0 0 1-4 0M12 2v-1
video facetime:R2 6 13 12 2|M15 11l7-4v10l-7-4
viewfinder.circle camera.viewfinder|M3 8V3h5M16 3h5v5M21 16v5h-5M8 21H3v-5
wallet.bifold wallet:R3 6 18 14 2|M15 13h.1M3 10h18
wand.and.rays|M4 20 15 9M17 3v3M17 11v2M12 8h2M20 8h2
watch.analog applewatch:R6 6 12 12 3|M9 6l1-4h4l1 4M9 18l1 4h4l1-4M12 9v3l2 1
water.waves drop.waves wind|M2 8c3-3 5 3 8 0s5 3 8 0 3-1 4 0M2 13c3-3 5 3 8 0s5 3 8 0 3-1 4 0M2 18c3-3 5 3 8 0s5 3 8 0 3-1 4 0
waveform waveform.path waveform.path.ecg|M2 12h4l2-6 4 13 3-10 2 3h5
xmark multiply|M5 5l14 14M19 5 5 19
yensign|M6 4l6 8 6-8M12 12v9M7 13h10M7 17h10
zzz|M4 5h7l-7 8h7M14 12h6l-6 7h6
`;

/// The drawings by their names, each a body and its details.
const symbols = new Map(symbolRows.trim().split("\n").flatMap((row) => {
  const end = row.search(/[:|]/);
  const [body, details = ""] = row.slice(end + (row[end] === ":" ? 1 : 0)).split("|");
  return row.slice(0, end).split(" ").map((name) => [name, { body: spelled(body), details: spelled(details) }]);
}));

/// A path with SVG's commands alone.
function spelled(path) {
  const number = " ?(-?[0-9.]+)";
  return path
    .replace(new RegExp(`O${number}${number}${number}`, "g"), (_, x, y, r) =>
      `M${x - r} ${y}a${r} ${r} 0 0 1 ${2 * r} 0a${r} ${r} 0 0 1 ${-2 * r} 0Z`)
    .replace(new RegExp(`R${number}${number}${number}${number}${number}`, "g"), (_, x, y, w, h, r) =>
      `M${+x + +r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}`
      + `h${2 * r - w}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}Z`);
}

const enclosures = new Map(["circle", "square", "rectangle", "app"].map((name) => [name, symbols.get(name)]));

/// A letter or a number in an outline, such as `1.circle.fill`.
const letterPattern = /^([a-z]|[0-9]{1,2})\.(circle|square)(\.fill)?$/;

/// The drawing of a name and how it varies; null if no beginning of the name is known.
const symbolOf = (name) => {
  const [, letter, outline, fill] = letterPattern.exec(name) ?? [];
  if (letter) return { body: "", details: "", letter: letter.toUpperCase(), isFilled: Boolean(fill), enclosure: enclosures.get(outline) };
  const words = name.split(".");
  const variants = [];
  while (words.length > 0 && !symbols.has(words.join("."))) variants.unshift(words.pop());
  if (words.length === 0) return null;
  return {
    ...symbols.get(words.join(".")),
    isFilled: variants.includes("fill"),
    isSlashed: variants.includes("slash"),
    enclosure: enclosures.get(variants.find((word) => enclosures.has(word))),
  };
};

const svgElement = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/// The colours of symbols that have some of their own (`multicolor`), of the body and the details.
const ownColors = [
  [/^(sun|sunrise|sunset|lightbulb)/, "yellow", "yellow"], [/^cloud\.(sun|moon)/, "gray3", "yellow"],
  [/^cloud\.bolt/, "gray3", "yellow"], [/^cloud/, "gray3", "cyan"], [/^moon/, "gray2", "yellow"],
  [/^(snow|wind|drop|humidity|umbrella)/, "cyan", "cyan"], [/^(bolt|star|crown|trophy|medal|folder)/, "yellow", "yellow"],
  [/^(heart|flame|flag|bookmark|alarm|phone\.down|trash|xmark|minus|exclamationmark\.octagon)/, "red", "white"],
  [/^exclamationmark\.triangle/, "yellow", "black"], [/^(checkmark|plus|phone|leaf|arrow|location\.circle)/, "green", "white"],
  [/^(info|questionmark|location|person|envelope|message|cart|calendar)/, "blue", "white"],
];

const everything = () => svgElement("path", { class: "all", d: "M-2-2h28v28h-28Z" });
const painted = (element, paint, opacity) => {
  element.style.setProperty("--mark", paint);
  if (opacity) element.style.opacity = opacity;
  return element;
};

/// The paints of a symbol's body and of its details, and the opacity of the body.
const layersOf = (name, paints, mode, hasDetails) => {
  const own = mode === "multicolor" && ownColors.find(([pattern]) => pattern.test(name));
  if (own) return [cssColor(own[1]), cssColor(own[2])];
  if (!hasDetails) return [paints[0], paints[0]];
  return [paints[1] ?? paints[0], paints[0], mode === "hierarchical" && paints.length === 1 ? 0.5 : undefined];
};

/// Draws a symbol in some paints; a name that is not known is a neutral square, whose title it is.
const symbolElement = (name, paints, mode, weight) => {
  const symbol = symbolOf(name);
  const svg = svgElement("svg", { class: "symbol", viewBox: "0 0 24 24", role: "img", "aria-label": name },
    svgElement("title", {}, name));
  svg.style.strokeWidth = 1.1 + weight / 470;
  if (symbol === null) {
    svg.classList.add("unknown");
    svg.append(painted(svgElement("path", { d: symbols.get("app").body }), paints[0]));
    return svg;
  }
  const { body, details, isFilled, enclosure, letter } = symbol;
  const glyph = enclosure ? { transform: "translate(12 12) scale(0.52) translate(-12 -12)", "stroke-width": 3 } : {};
  const outer = enclosure?.body ?? body;
  const inner = () => (letter ? svgElement("text", { class: "letter", x: 12, y: 16 }, letter)
    : svgElement("path", { d: enclosure ? body + details : details, ...glyph }));
  const hasDetails = Boolean(enclosure || body && details);
  const [back, front, opacity] = layersOf(name, paints, mode, hasDetails);
  if (isFilled && outer) {
    const area = painted(svgElement("path", { class: "filled", d: outer }), back, opacity);
    svg.append(area);
    if (hasDetails && (back !== front || opacity)) {
      svg.append(painted(inner(), front));
    } else {
      // Details are cut out of the filled body, and drawn where they reach beyond it.
      const [inside, beyond] = [newName("mask"), newName("mask")];
      area.before(
        svgElement("mask", { id: inside }, everything(), inner()),
        svgElement("mask", { id: beyond }, everything(), svgElement("path", { class: "filled", d: outer })));
      area.setAttribute("mask", `url(#${inside})`);
      svg.append(svgElement("g", { mask: `url(#${beyond})` }, painted(inner(), front)));
    }
  } else {
    svg.append(painted(svgElement("path", { d: outer }), back, opacity), painted(inner(), outer ? front : paints[0]));
  }
  if (symbol.isSlashed) svg.append(painted(svgElement("path", { d: "M3 3l18 18" }), front));
  return svg;
};
