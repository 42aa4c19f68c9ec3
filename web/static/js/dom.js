// Making and filling elements. Text only ever goes in as text nodes: a name cannot become markup.
const SVG = 'http://www.w3.org/2000/svg';

function dress(element, attributes, children) {
  Object.keys(attributes).forEach((name) => {
    const value = attributes[name];
    if (value === null || value === undefined || value === false) return;
    if (name.slice(0, 2) === 'on') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  });
  children.forEach((child) => append(element, child));
  return element;
}

function append(element, child) {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) child.forEach((one) => append(element, one));
  else element.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
}

export function h(name, attributes, ...children) {
  return dress(document.createElement(name), attributes || {}, children);
}

export function svg(name, attributes, ...children) {
  return dress(document.createElementNS(SVG, name), attributes || {}, children);
}

export function fill(element, ...children) {
  while (element.firstChild) element.removeChild(element.firstChild);
  children.forEach((child) => append(element, child));
}

export const $ = (selector, root) => (root || document).querySelector(selector);
export const $$ = (selector, root) => Array.from((root || document).querySelectorAll(selector));

export function show(element, visible) {
  if (element) element.hidden = !visible;
}

// The data that the server laid into the page (never executed: its type is application/json).
export function pageData(id) {
  const holder = document.getElementById(id);
  return holder ? JSON.parse(holder.textContent) : null;
}

const words = pageData('words') || {};

// A sentence of the page's language; {name} in it is replaced.
export function say(key, values) {
  const text = words[key] === undefined ? key : words[key];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (values && name in values ? String(values[name]) : whole));
}

// A whole number with a real minus sign.
export function written(number) {
  return String(number).replace('-', '−');
}
