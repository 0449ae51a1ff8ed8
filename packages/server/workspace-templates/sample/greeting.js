// run it with an input such as { "name": "Ada" }
export default async (_env, input) => {
  const name = input?.name ?? 'world'
  console.log(`Hello, ${name}!`)
  return { greeted: name }
}
