// Runs before the first paint, so that a chosen dark or light scheme does not flash. Not a module
// and not inline: the content security policy allows neither inline scripts nor waiting.
(function () {
  try {
    var settings = JSON.parse(localStorage.getItem('oware.settings') || '{}');
    if (settings.scheme === 'dark' || settings.scheme === 'light') {
      document.documentElement.dataset.scheme = settings.scheme;
    }
    if (settings.language) document.documentElement.lang = settings.language;
  } catch {
    // Without storage the system's scheme holds.
  }
})();
