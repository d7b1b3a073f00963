// What figures of lines share: which spreads are drawn, and dots as they travel.

// Which spreads are worth whiskers: more than one and a half per cent of the value to a side.
const spread = (s, i) => s.low && s.high && (s.high[i] - s.low[i]) / 2 > 0.015 * Math.abs(s.y[i]);

// Dots travel packed: place, lowest value, thousandths of it above the one below.
function unpack(s) {
  if (!s.dots) return;
  s.x = s.dots.flatMap(([x, , above]) => above.map(() => x));
  s.y = s.dots.flatMap(([, low, above]) => {
    let sum = 0;
    return above.map((d) => low * (1 + (sum += d) / 1000));
  });
  delete s.dots;
}
