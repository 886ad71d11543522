package dev.millrace.scheduler.expression.javascript;

import org.graalvm.polyglot.Context;

/**
 * Something to do in a realm.
 *
 * @param <T> what it results in
 */
interface Work<T> {
    /** Does it, on the realm's thread. */
    T in(Realm realm, Context context);

    /** Whether nothing else may run in the realm after it. */
    default boolean endsRealm() {
        return false;
    }
}
