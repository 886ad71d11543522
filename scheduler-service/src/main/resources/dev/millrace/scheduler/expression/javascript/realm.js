// Prepares a realm that no script can change. The result is the function that runs scripts in this realm.
//
// Scripts of different runs share a realm, one after the other. So everything that outlives a script is frozen, and
// everything that could carry data from one script to another is removed. Functions that loop inside the engine cannot be
// interrupted, so they check sizes first.
(function (arrayLengthMax) {
    "use strict";
    const { parse, stringify } = JSON;
    const { apply, ownKeys, getPrototypeOf, getOwnPropertyDescriptor, defineProperty } = Reflect;
    const { freeze, isFrozen, create, setPrototypeOf, keys, values, entries } = Object;
    const iteratorSymbol = Symbol.iterator;
    const InternalProxy = Proxy;
    const InternalTypeError = TypeError;
    const InternalRangeError = RangeError;
    const hasOwn = Object.hasOwn;
    const isArray = Array.isArray;

    function removeWhatIsNotNeeded() {
        // Buffers and typed arrays allocate their memory at once, and proxies could deceive the checks below. The others keep
        // state, are asynchronous, or lead out of the realm.
        for (const name of [
            "ArrayBuffer", "SharedArrayBuffer", "DataView", "Atomics", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array",
            "Uint16Array", "Int32Array", "Uint32Array", "Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
            "BigInt", "Proxy", "Promise", "WeakRef", "FinalizationRegistry", "AsyncIterator", "ShadowRealm", "WebAssembly", "Graal", "Java",
            "Polyglot", "Packages", "java", "javax", "com", "org", "edu", "load", "loadWithNewGlobal", "print", "printErr", "console",
            "exit", "quit", "read", "readbuffer", "readline",
        ]) {
            delete globalThis[name];
        }
        delete Array.fromAsync;
        delete Symbol.for;
        delete Symbol.keyFor;
        delete Object.prototype.__proto__;
        delete Object.prototype.__defineGetter__;
        delete Object.prototype.__defineSetter__;
        delete Error.captureStackTrace;
        delete Error.prepareStackTrace;
    }

    function checkLength(value) {
        if ((typeof value !== "object" && typeof value !== "function") || value === null) {
            return;
        }
        const length = getOwnPropertyDescriptor(value, "length");
        if (length === undefined && !("length" in value)) {
            return;
        }
        if (length === undefined || typeof length.value !== "number") {
            throw new InternalTypeError("The length of an array-like object must be a plain number of its own");
        }
        if (length.value > arrayLengthMax) {
            throw new InternalRangeError(`Invalid array length: ${length.value} (at most ${arrayLengthMax})`);
        }
    }

    function replace(holder, name, replacement) {
        const old = getOwnPropertyDescriptor(holder, name);
        defineProperty(replacement, "name", { value: typeof name === "symbol" ? `[${name.description}]` : name });
        defineProperty(replacement, "length", { value: old.value.length });
        defineProperty(holder, name, { ...old, value: replacement });
    }

    function checkLengthsOfArrays() {
        const unchecked = ["constructor", "push", "pop", "at", "keys", "values", "entries", iteratorSymbol];
        const slice = Array.prototype.slice;
        for (const name of ownKeys(Array.prototype)) {
            const original = Array.prototype[name];
            if (typeof original === "function" && !unchecked.includes(name)) {
                replace(Array.prototype, name, {
                    method(...args) {
                        checkLength(this);
                        return apply(original, this, args);
                    },
                }.method);
            }
        }
        // Spreads only arrays: an object cannot ask for it by Symbol.isConcatSpreadable.
        const concat = Array.prototype.concat;
        const asElements = (value) => (isArray(value) ? value : [value]);
        replace(Array.prototype, "concat", {
            concat(...args) {
                return apply(concat, [], [asElements(this), ...args.map(asElements)]);
            },
        }.concat);
        const from = Array.from;
        replace(Array, "from", {
            from(items, ...rest) {
                const iterate = items[iteratorSymbol];
                if (iterate !== undefined && iterate !== null) {
                    const iterable = { [iteratorSymbol]: () => apply(iterate, items, []) };
                    return apply(from, this, [iterable, ...rest]);
                }
                checkLength(items);
                return apply(from, this, [apply(slice, items, []), ...rest]);
            },
        }.from);
        replace(JSON, "stringify", {
            stringify(value, replacer, space) {
                checkLength(typeof replacer === "function" ? null : replacer);
                return stringify(value, replacer, space);
            },
        }.stringify);
    }

    // Values that getters return. No property leads to them, so they must be frozen separately.
    const behindGetters = [];

    // Lets scripts assign members whose names a frozen prototype has, too: the setter defines the object's own member.
    function letOwnMembersWin(prototype) {
        for (const name of ownKeys(prototype)) {
            const { value, writable, enumerable } = getOwnPropertyDescriptor(prototype, name);
            if (writable) {
                behindGetters.push(value);
                defineProperty(prototype, name, {
                    get() {
                        return value;
                    },
                    set(own) {
                        if (this === prototype || this === null || (typeof this !== "object" && typeof this !== "function")) {
                            throw new InternalTypeError(`Cannot assign to read only property '${String(name)}'`);
                        }
                        defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
                    },
                    enumerable,
                    configurable: false,
                });
            }
        }
    }

    // Prototypes with the methods of Java's lists and maps. The methods are not enumerable.
    function javaPrototypes() {
        const { includes, indexOf, slice, splice } = Array.prototype;
        const list = create(Array.prototype);
        const map = create(Object.prototype);
        const asList = (elements) => setPrototypeOf(elements, list);
        const position = (array, index) => {
            if (!(index >= 0 && index < array.length)) {
                throw new InternalRangeError(`Index ${index} out of bounds for length ${array.length}`);
            }
            return index;
        };
        const listMethods = {
            get(index) { return this[position(this, index)]; },
            getFirst() { return this[position(this, 0)]; },
            getLast() { return this[position(this, this.length - 1)]; },
            size() { return this.length; },
            isEmpty() { return this.length === 0; },
            contains(element) { return apply(includes, this, [element]); },
            containsAll(elements) { return elements.every((element) => apply(includes, this, [element])); },
            add(...given) {
                apply(splice, this, given.length > 1 ? [given[0], 0, given[1]] : [this.length, 0, given[0]]);
                return true;
            },
            addAll(elements) {
                for (const element of elements) {
                    this[this.length] = element;
                }
                return elements.length > 0;
            },
            set(index, element) {
                const before = this[position(this, index)];
                this[index] = element;
                return before;
            },
            remove(given) {
                if (typeof given === "number") {
                    return apply(splice, this, [position(this, given), 1])[0];
                }
                const index = apply(indexOf, this, [given]);
                return index >= 0 && apply(splice, this, [index, 1]).length > 0;
            },
            clear() { this.length = 0; },
            subList(from, to) { return asList(apply(slice, this, [from, to])); },
            toArray() { return asList(apply(slice, this, [])); },
        };
        const mapMethods = {
            get(key) { return hasOwn(this, key) ? this[key] : null; },
            getOrDefault(key, otherwise) { return hasOwn(this, key) ? this[key] : otherwise; },
            size() { return keys(this).length; },
            isEmpty() { return keys(this).length === 0; },
            containsKey(key) { return hasOwn(this, key); },
            containsValue(value) { return apply(includes, values(this), [value]); },
            keySet() { return asList(keys(this)); },
            values() { return asList(values(this)); },
            entrySet() {
                return asList(entries(this).map(([key, value]) => ({ getKey: () => key, getValue: () => value })));
            },
            forEach(action) { entries(this).forEach(([key, value]) => action(key, value)); },
            put(key, value) {
                const before = hasOwn(this, key) ? this[key] : null;
                this[key] = value;
                return before;
            },
            putIfAbsent(key, value) {
                const before = hasOwn(this, key) ? this[key] : null;
                this[key] = before ?? value;
                return before;
            },
            putAll(others) { entries(others).forEach(([key, value]) => { this[key] = value; }); },
            remove(key) {
                const before = hasOwn(this, key) ? this[key] : null;
                delete this[key];
                return before;
            },
            clear() { keys(this).forEach((key) => { delete this[key]; }); },
        };
        for (const [prototype, methods] of [[list, listMethods], [map, mapMethods]]) {
            for (const name of ownKeys(methods)) {
                defineProperty(prototype, name, { value: methods[name], writable: true, enumerable: false, configurable: true });
            }
            letOwnMembersWin(prototype);
        }
        return { list, map };
    }

    // Gives the methods of Java's collections to all lists and maps inside a value.
    function asJava(value) {
        const left = [value];
        while (left.length > 0) {
            const holder = left.pop();
            if (typeof holder === "object" && holder !== null) {
                setPrototypeOf(holder, isArray(holder) ? java.list : java.map);
                for (const member of values(holder)) {
                    if (typeof member === "object") {
                        left.push(member);
                    }
                }
            }
        }
        return value;
    }

    function freezeAll(roots) {
        const left = [...roots];
        const seen = new Set();
        while (left.length > 0) {
            const value = left.pop();
            if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) {
                continue;
            }
            seen.add(value);
            freeze(value);
            left.push(getPrototypeOf(value));
            for (const key of ownKeys(value)) {
                const property = getOwnPropertyDescriptor(value, key);
                left.push(property.value, property.get, property.set);
            }
            if (!isFrozen(value)) {
                throw new InternalTypeError("a built-in object cannot be frozen");
            }
        }
    }

    // Built-in objects that are reachable only through syntax or calls, not by a global name.
    function hiddenObjects() {
        function* generator() {}
        async function later() {}
        async function* laterGenerator() {}
        return [
            Promise, generator, generator(), later, laterGenerator, laterGenerator(), [][iteratorSymbol](), ""[iteratorSymbol](),
            new Map()[iteratorSymbol](), new Set()[iteratorSymbol](), "".matchAll(/./g), () => {}, /./, /./.exec("x"), function () {},
            (function () { return arguments; })(), class {}, new Error(),
            typeof Iterator === "function" ? Iterator.from({ next() {} }) : null,
            typeof Iterator === "function" ? [].values().map((x) => x) : null,
        ];
    }

    const hidden = hiddenObjects();
    removeWhatIsNotNeeded();
    checkLengthsOfArrays();
    letOwnMembersWin(Object.prototype);
    letOwnMembersWin(Error.prototype);
    const java = javaPrototypes();
    freezeAll([globalThis, ...hidden, java.list, java.map, ...behindGetters]);

    // A view of the steps that fetches a step when the script first reads it, for scripts that compute step ids.
    function stepsOnDemand(known, fetch, index) {
        const read = (key) => {
            if (typeof key === "string" && !hasOwn(known, key)) {
                const text = fetch(index, key);
                if (text !== null) {
                    known[key] = parse(text);
                }
            }
        };
        return new InternalProxy(known, {
            get(target, key) {
                read(key);
                return target[key];
            },
            has(target, key) {
                read(key);
                return key in target;
            },
            getOwnPropertyDescriptor(target, key) {
                read(key);
                return getOwnPropertyDescriptor(target, key);
            },
        });
    }

    return function run(script, fetch, onDemand, javaMethods, ...texts) {
        const given = create(null);
        for (let i = 0; i < texts.length; i++) {
            const value = texts[i] === null ? undefined : parse(texts[i]);
            if (javaMethods) {
                asJava(value);
            }
            given[i] = onDemand !== null && onDemand[i] === true ? stepsOnDemand(value, fetch, i) : value;
        }
        given.length = texts.length;
        const result = apply(script, undefined, given);
        return stringify(result) ?? null;
    };
})
