// Saying something to the referee: one POST with the version the page saw. A stale page is told so and gets the new state.
import { say } from './dom.js';

let csrf = '';

export function useSession(session) {
  csrf = session.csrf;
}

export function refreshSession() {
  return fetch('/api/session', { credentials: 'same-origin' })
    .then((answer) => answer.json())
    .then((session) => { useSession(session); return session; });
}

function send(path, body) {
  return fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf },
    body: JSON.stringify(body),
  }).then((answer) => answer.json().then(
    (content) => ({ status: answer.status, content }),
    () => ({ status: answer.status, content: {} }),
  ));
}

function retold(result) {
  const error = result.content.error || {};
  return Promise.reject(Object.assign(new Error(error.message || say('went wrong')), {
    status: result.status, code: error.code, state: result.content.state,
  }));
}

export function post(path, body) {
  return send(path, body).then((result) => {
    if (result.status === 200) return result.content;
    // A server that was started anew gives a new token; one more try is enough.
    if (result.status === 403 && result.content.error && result.content.error.code === 'csrf') {
      return refreshSession().then(() => send(path, body)).then((again) => (again.status === 200 ? again.content : retold(again)));
    }
    return retold(result);
  }, () => Promise.reject(new Error(say('no connection'))));
}
