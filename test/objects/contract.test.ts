/** The contract of object stores, tested on both implementations. A soak tests it on Ceph too (`test/soak/ceph.test.ts`). */
import { testContract } from './contract.ts';
import { storeKinds } from './stores.ts';

for (const [name, openStore] of storeKinds) testContract(name, openStore);
