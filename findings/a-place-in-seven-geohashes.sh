#!/usr/bin/env bash
# A geohash names the cell that a place is in, and two programs that send and show what happens at a place compare it as a text. Cells
# end where halves, quarters and so on of 180° and 360° do, so that whole degrees such as 45, 11.25 and 0, which grids of weather have,
# are on an edge. Of seven packages for Python, five put such a place in the cell to the north-east, and geohash-tools 0.2.0 and
# pylibgeohash 0.2.3 in the one to the south-west: they name no cell in common for 0°, 0°. At 180° of longitude python-geohash
# 0.9.2, geohashr 1.7.0 and faster-geohash 0.2.1 go on at -180°, the others stay in the last cell to the east. And at 90° of
# latitude geohashr and faster-geohash go on at -90°: the North Pole is at the South Pole. Inside of cells all seven agree.
# mzgeohash 1.1.0 and geohashr go there from a northernmost cell, too, when they are asked for its neighbours.
# Expected: of each package, the cells of seven places; then what the northern neighbour of a northernmost cell is.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q python-geohash==0.9.2 pygeohash==3.5.1 mzgeohash==1.1.0 geohashr==1.7.0 faster-geohash==0.2.1 geohash-tools==0.2.0 \
    pylibgeohash==0.2.3 2>/dev/null || { echo "needs PyPI" && exit 77; }
cat >cells.py <<'END'
import warnings
import faster_geohash, geohash, geohash_tools, geohashr, mzgeohash, pygeohash, pylibgeohash
warnings.simplefilter("ignore")
PLACES = (57.64911, 10.40744), (0, 0), (45, 11.25), (12.3, 180), (12.3, -180), (90, 10), (-90, 10)
ENCODE = {"python-geohash": geohash.encode, "pygeohash": pygeohash.encode, "mzgeohash": lambda north, east, length: mzgeohash.encode((east, north), length),
          "geohashr": geohashr.encode, "faster-geohash": lambda north, east, length: faster_geohash.encode((north, east), length),
          "geohash-tools": geohash_tools.encode, "pylibgeohash": pylibgeohash.encode}
print("place", *(f"{north},{east}" for north, east in PLACES))
for name, encode in ENCODE.items(): print(name, *(encode(north, east, 6) for north, east in PLACES))
print("north of upbpbp", "mzgeohash", mzgeohash.neighbors("upbpbp")["n"], "geohashr", geohashr.neighbors("upbpbp")["n"],
      "python-geohash", "none" if len(geohash.neighbors("upbpbp")) == 5 else geohash.neighbors("upbpbp"))
END
venv/bin/python cells.py | tee found
diff found - <<'END'
place 57.64911,10.40744 0,0 45,11.25 12.3,180 12.3,-180 90,10 -90,10
python-geohash u4pruy s00000 u20000 840jbp 840jbp upzpgx h0p058
pygeohash u4pruy s00000 u20000 xfpvzz 840jbp upzpgx h0p058
mzgeohash u4pruy s00000 u20000 xfpvzz 840jbp upzpgx h0p058
geohashr u4pruy s00000 u20000 840jbp 840jbp h0p058 h0p058
faster-geohash u4pruy s00000 u20000 840jbp 840jbp h0p058 h0p058
geohash-tools u4pruy 7zzzzz spzzzz xfpvzz 840jbp upzpgx h0p058
pylibgeohash u4pruy 7zzzzz spzzzz xfpvzz 840jbp upzpgx h0p058
north of upbpbp mzgeohash h00000 geohashr h00000 python-geohash none
END
