/** The primes below a limit, by the sieve of Eratosthenes. */
function primesBelow(limit: number): number[] {
  const isPrime = new Array<boolean>(limit).fill(true)
  const primes: number[] = []
  for (let candidate = 2; candidate < limit; candidate++) {
    if (!isPrime[candidate]) continue
    primes.push(candidate)
    for (let multiple = candidate * candidate; multiple < limit; multiple += candidate) isPrime[multiple] = false
  }
  return primes
}

const primes = primesBelow(1000)
console.log(`There are ${primes.length} primes below 1000`)
primes.slice(-5)
