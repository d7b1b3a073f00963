// A figure as an SVG file that stands by itself: its title above, its names and its caption below. What
// a browser draws of the page is not enough, since the names and the words are elements beside it.

const STILL = { width: 960, margin: 16, line: 19 };

// Text in lines of at most so many characters.
function broken(text, most) {
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.length - 1;
    if (last >= 0 && lines[last].length + 1 + word.length <= most) lines[last] += " " + word;
    else lines.push(word);
  }
  return lines;
}

// `drawing` is the SVG of the axes and lines, so high; `about` has the title, the names with their
// colours and dashes, and the caption.
function still(drawing, height, about) {
  const { width, margin, line } = STILL;
  const ink = css("--ink"), soft = css("--soft"), family = font().fontFamily;
  const parts = [];
  let y = margin;
  const text = (words, x, size, colour, weight) => parts.push(`<text x="${x}" y="${y}" font-size="${size}" fill="${colour}" font-weight="${weight}">${escape(words)}</text>`);
  for (const words of broken(about.title, 90)) {
    y += 18;
    text(words, margin, 18, ink, 600);
  }
  y += 12;
  const inner = drawing.replace(/^<svg /, `<svg x="0" y="${y}" `);
  y += height + 6;
  let x = margin;
  for (const { name, colour, dash } of about.names || []) {
    const wide = 46 + 7.2 * name.length;
    if (x > margin && x + wide > width - margin) {
      x = margin;
      y += line;
    }
    parts.push(`<line x1="${x}" x2="${x + 22}" y1="${y + 8}" y2="${y + 8}" stroke="${escape(colour)}" stroke-width="3" stroke-dasharray="${dash || ""}"/>`);
    y += 12;
    text(name, x + 28, 12.5, ink, 400);
    y -= 12;
    x += wide;
  }
  y += (about.names || []).length ? line + 10 : 4;
  for (const words of broken(about.caption || "", 130)) {
    y += 17;
    text(words, margin, 13, soft, 400);
  }
  y += margin;
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="${escape(family)}" role="img"><title>${escape(about.title)}</title>`;
  return `${frame}<rect width="100%" height="100%" fill="${css("--paper")}"/>${inner}${parts.join("")}</svg>\n`;
}
