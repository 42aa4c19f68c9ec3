// Runs before the first paint, so that a chosen theme does not flash. Served to old tablets: plain 2018 JavaScript.
(function () {
  'use strict';
  var root = document.documentElement;
  try {
    var theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') root.setAttribute('data-theme', theme);
    if (localStorage.getItem('shapes') === 'off') root.setAttribute('data-shapes', 'off');
  } catch (error) {
    // A browser that keeps nothing still shows the page.
  }
}());
