package dev.millrace.scheduler.expression.javascript;

import org.graalvm.polyglot.Context;

/**
 * Piece of work in a realm.
 *
 * @param <T> type of the result
 */
interface Work<T> {
    /** Does the work, on the realm's thread. */
    T in(Realm realm, Context context);

    /** Whether the realm must not be used after this work. */
    default boolean endsRealm() {
        return false;
    }
}
