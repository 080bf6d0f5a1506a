// The page's own script: a list that one can add to and clear. It knows nothing of an agent.

const list = document.querySelector('#tasks')

document.querySelector('#add').addEventListener('submit', (event) => {
  event.preventDefault()
  const item = document.createElement('li')
  item.textContent = new FormData(event.target).get('title')
  list.append(item)
  event.target.reset()
})

document.querySelector('#clear').addEventListener('click', () => list.replaceChildren())
