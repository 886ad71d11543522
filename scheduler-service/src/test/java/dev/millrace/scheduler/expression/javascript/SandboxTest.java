package dev.millrace.scheduler.expression.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.FixedScope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests with malicious scripts. Each is stopped with a message, and the next script runs as if nothing had happened.
 */
class SandboxTest {
    /** Lower bound on the number of JavaScript's own objects and functions. */
    private static final int OBJECTS_OF_A_REALM_MIN = 400;

    /**
     * The constructor of a base class may return any object. The subclass then adds its private members to that object,
     * even if it is frozen.
     */
    @Test
    void privateMembersOnSharedObjectsDoNotOutliveTheirScript() {
        String stamp =
                "class Base { constructor(o) { return o; } }; class S extends Base { #v = 'secret'; static read(o) { return #v in o; } };"
                        + " const before = S.read(Object.prototype); new S(Object.prototype); return [before, S.read(Object.prototype)]";
        String grow =
                "class S extends (function(o){return o}) { #v=Array(100000).fill(1.5) }; new S(Object.prototype); return 1";

        assertThat(value(stamp)).isEqualTo("[false,true]");
        for (int i = 0; i < 30; i++) {
            assertThat(value(grow)).isEqualTo("1");
        }
        assertThat(value(stamp)).isEqualTo("[false,true]");
    }

    private static String value(String script) {
        return JavaScriptTest.read(script).evaluate(scope()).text();
    }

    @TestFactory
    Stream<DynamicTest> stopsWhatTakesTooMuch() {
        return Stream.of(
                        "while (true) {}; return 1",
                        "for (;;);; return 1",
                        "try { while (true) {} } catch (e) {} finally { while (true) {} }; return 1",
                        "(function f() { return f() })()",
                        "let f = () => [f()]; return f()",
                        "const o = {toString() { for (;;); }}; return o + ''",
                        "({toJSON() { for (;;); }})",
                        "throw {toString() { for (;;); }}; return 1",
                        "class E extends Error { get message() { for (;;); } } throw new E(); return 1",
                        "let s = 'x'; while (true) s += s; return 1",
                        "'x'.repeat(1e9)",
                        "'x'.padStart(2 ** 30)",
                        "'a'.repeat(4e6).split('').map(x => x + x).join('').split('')",
                        "'a'.repeat(1e6).replaceAll('', 'bbbbbbbbbb')",
                        "Array(3000).fill('x'.repeat(4e6)).join('')",
                        "Array(1e9).fill(0)",
                        "[...Array(1e9)]",
                        "Array.from({length: 1e9})",
                        "Array.from({length: 2 ** 53 - 1}, () => 1)",
                        "new Array(4294967295).join('x')",
                        "Array(1e9).map(x => x)",
                        "JSON.stringify(Array(1e8))",
                        "JSON.stringify({}, Array(4294967295))",
                        "JSON.parse('['.repeat(1e6))",
                        "[].indexOf.call({length: 2 ** 53 - 1}, 1)",
                        "[].fill.call({length: 2 ** 53 - 1}, 1)",
                        "[].includes.call({get length() { return 2 ** 53 - 1 }}, 1)",
                        "[].reverse.call({__proto__: {length: 2 ** 53 - 1}})",
                        "const f = () => 1; Object.defineProperty(f, 'length', {value: 2 ** 53 - 1}); return [].indexOf.call(f, 1)",
                        "let o = []; for (;;) o.push([1, 2, 3]); return 1",
                        "let o = {}; for (;;) o = [o, o]; return 1",
                        "let o = []; for (let i = 0; i < 60; i++) o = [o, o]; return o.flat(Infinity)",
                        "let o = []; for (let i = 0; i < 60; i++) o = [o, o]; return String(o)",
                        "let o = []; for (let i = 0; i < 60; i++) o = [o, o]; return o",
                        "const m = new Map(); let i = 0; for (;;) m.set(i++, {}); return 1",
                        "function* g() { for (;;) yield 1 } return [...g()]",
                        "Math.max.apply(null, {length: 4e9})",
                        "Reflect.apply(Math.max, null, {length: 4e9})",
                        "/(a+)+$/.test('a'.repeat(40) + 'b') || /^(a|a)*$/.test('a'.repeat(40) + 'b') || (() => { for (;;); })()",
                        "/((?=(a*))a+)+\\2$/.test('a'.repeat(60) + 'b') || (() => { for (;;); })()",
                        "let p = {}; for (let i = 0; i < 1e6; i++) p = Object.create(p); return p.x + (() => { for (;;); })()")
                .map(source -> DynamicTest.dynamicTest(source, () -> {
                    Expression script = JavaScriptTest.read(source);
                    String outcome = JavaScriptTest.failure(script);
                    assertThat(outcome).startsWith("The expression \"").containsAnyOf("failed: ", "stopped: it ");
                    assertThatTheNextScriptRuns();
                }));
    }

    @TestFactory
    Stream<DynamicTest> offersNothingBeyondTheLanguage() {
        return Stream.of(
                        "Java.type('java.lang.System')",
                        "Polyglot.eval('js', '1')",
                        "Packages.java.lang.System",
                        "java.lang.System",
                        "load('http://localhost/')",
                        "loadWithNewGlobal('x')",
                        "print(1)",
                        "console.log(1)",
                        "quit()",
                        "Graal.versionECMAScript",
                        "process.env",
                        "require('fs')",
                        "fetch('http://localhost/')",
                        "setTimeout(() => 1, 1)",
                        "new WebAssembly.Module()",
                        "new SharedArrayBuffer(1)",
                        "Atomics.wait()",
                        "new Promise(() => 1)",
                        "new Proxy({}, {})",
                        "BigInt(1)",
                        "new Uint8Array(1)",
                        "eval('1')",
                        "Function('return 1')()",
                        "(() => 1).constructor('return this')()",
                        "(function* () {}).constructor('yield 1')().next().value",
                        "[].constructor.constructor('return 1')()",
                        "new (class extends (() => 1).constructor {})('return 1')()",
                        "Reflect.construct((() => 1).constructor, ['return 1'])()",
                        "inputs.constructor.constructor('return 1')()",
                        "Symbol.for('x').description",
                        "arguments.callee.caller")
                .map(source -> DynamicTest.dynamicTest(
                        source,
                        () -> assertThat(JavaScriptTest.failure(JavaScriptTest.read(source)))
                                .startsWith("The expression \"")));
    }

    @TestFactory
    Stream<DynamicTest> keepsNothingForTheNextScript() {
        return Stream.of(
                        "Object.prototype.polluted = 1",
                        "({}).constructor.prototype.polluted = 1",
                        "Object.getPrototypeOf(inputs).polluted = 1",
                        "Object.setPrototypeOf(Object.prototype, {polluted: 1})",
                        "Array.prototype.map = () => 'stolen'",
                        "Array.prototype.push(1)",
                        "String.prototype.toUpperCase = () => 'stolen'",
                        "Object.defineProperty(Array.prototype, 'polluted', {value: 1})",
                        "JSON.stringify = () => 'stolen'",
                        "JSON.parse = () => 'stolen'",
                        "Object.prototype.toJSON = () => 'stolen'",
                        "Math.leak = inputs",
                        "Math.max = null",
                        "globalThis.leak = inputs",
                        "leak = inputs",
                        "undefined = 1",
                        "this.leak = 1",
                        "Error.prototype.leak = 1",
                        "Object.prototype.toString = 1",
                        "Function.prototype.call = 1",
                        "Symbol.iterator.leak = 1",
                        "RegExp.leak = 1",
                        "Map.prototype.leak = new Map()",
                        "Date.leak = 1",
                        "(function* () {}).prototype.__proto__.leak = 1",
                        "Object.getPrototypeOf(function* () {}).leak = 1",
                        "Object.getPrototypeOf([].values()).leak = 1",
                        "Object.getPrototypeOf(Object.getPrototypeOf([].values())).leak = 1",
                        "Object.getPrototypeOf(''.matchAll(/./g)).leak = 1",
                        "delete Array.prototype.map",
                        "Object.getOwnPropertyDescriptor(Object.prototype, 'toString').set.call(Object.prototype, 1)",
                        "const tag = x => x; tag`a`.leak = 1",
                        "Iterator.prototype.leak = 1")
                .map(source -> DynamicTest.dynamicTest(source, () -> {
                    assertThat(JavaScriptTest.failure(JavaScriptTest.read(source)))
                            .startsWith("The expression \"");
                    assertThatTheNextScriptRuns();
                }));
    }

    @Test
    void everyObjectThatAScriptCanReachFromTheGlobalOneIsFrozen() {
        // Splits the walk into slices by root, because one walk over everything would come close to the time limit of
        // an expression.
        Expression walk = JavaScriptTest.read("""
                const parts = (object, name) => Reflect.ownKeys(object).flatMap(key => {
                    const {value, get, set} = Object.getOwnPropertyDescriptor(object, key);
                    return [[value, name + "." + String(key)], [get, name + ".get " + String(key)], [set, name + ".set " + String(key)]];
                });
                const roots = [[Object.getPrototypeOf(globalThis), "globalThis.__proto__"], ...parts(globalThis, "globalThis"),
                    [function* () {}, "generator"], [[].values(), "iterator"], [new Map().values(), "map"],
                    ["".matchAll(/x/g), "matchAll"], [/x/, "regex"], [new Error(), "error"], [(() => 1), "function"]]
                    .filter(([value]) => (typeof value === "object" || typeof value === "function") && value !== null);
                const own = list => list.flatMap(([value]) => [value, value.prototype]);
                const left = roots.filter((root, i) => i % inputs.slices === inputs.slice);
                const seen = new Set(own(roots)), open = [];
                own(left).forEach(value => seen.delete(value));
                const others = seen.size;
                while (left.length > 0) {
                    const [value, name] = left.pop();
                    if ((typeof value === "object" || typeof value === "function") && value !== null && !seen.has(value)) {
                        seen.add(value);
                        if (!Object.isFrozen(value) && name.includes(".")) open.push(name);
                        left.push([Object.getPrototypeOf(value), name + ".__proto__"]);
                        if (name.includes(".")) left.push(...parts(value, name));
                    }
                }
                return [seen.size - others, Object.isFrozen(globalThis), open];
                """);
        int slices = 20;
        int objects = 0;
        for (int slice = 0; slice < slices; slice++) {
            var scope = new FixedScope("{\"slice\": " + slice + ", \"slices\": " + slices + "}");
            String[] found = walk.evaluate(scope).text().substring(1).split(",", 2);
            objects += Integer.parseInt(found[0]);
            assertThat(found[1]).isEqualTo("true,[]]");
        }
        assertThat(objects).isGreaterThan(OBJECTS_OF_A_REALM_MIN);
    }

    @Test
    void functionsThatGettersResultInAreFrozen() {
        String open = "const open = []; for (const prototype of [Object.prototype, Error.prototype]) {"
                + " for (const key of Reflect.ownKeys(prototype)) { if (!Object.isFrozen(prototype[key])) open.push(key); } } return open";

        assertThat(value(open)).isEqualTo("[]");
    }

    @Test
    void scriptsOfManyThreadsSeeOnlyTheirOwnValues() throws Exception {
        Expression script =
                JavaScriptTest.read("inputs.list.push(inputs.id); return inputs.list.map(x => `${x}`).join()");
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<String>> results = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                FixedScope own = new FixedScope("{\"list\": [1], \"id\": " + i + "}");
                results.add(threads.submit(() -> script.evaluate(own).text()));
            }
            for (int i = 0; i < 400; i++) {
                assertThat(results.get(i).get()).isEqualTo("\"1," + i + "\"");
            }
        }
    }

    @Test
    void aScriptThatIsStoppedHarmsNoneThatRunsMeanwhile() throws Exception {
        Expression endless = JavaScriptTest.read("for (;;); return 1");
        Expression good = JavaScriptTest.read("inputs.a + 1");
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> bad = threads.submit(() -> {
                for (int i = 0; i < 5; i++) {
                    assertThat(JavaScriptTest.failure(endless)).contains("stopped: it ");
                }
            });
            while (!bad.isDone()) {
                assertThat(good.evaluate(scope()).text()).isEqualTo("2");
            }
            bad.get();
        }
    }

    private static FixedScope scope() {
        return new FixedScope("{\"a\": 1, \"list\": [2, 3]}");
    }

    private static void assertThatTheNextScriptRuns() {
        Expression next = JavaScriptTest.read(
                "[typeof leak, typeof polluted, ({}).polluted ?? 0, inputs.list.map(x => x + 1), 'a'.toUpperCase(), JSON.stringify({a: 1}), String({}), typeof Math.leak, Math.max(1, 2)]");
        assertThat(next.evaluate(scope()).text())
                .isEqualTo(
                        "[\"undefined\",\"undefined\",0,[3,4],\"A\",\"{\\\"a\\\":1}\",\"[object Object]\",\"undefined\",2]");
    }
}
