package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one decision would change, laid over a state that stays as it is. Holds only what changes; scopes that begin in this
 * decision are new and hang nowhere yet.
 */
final class Draft implements Bindings.Results {
    private final IdentityHashMap<ScopeState, ScopeDraft> scopes = new IdentityHashMap<>();
    private final IdentityHashMap<LoopState, LoopDraft> loops = new IdentityHashMap<>();

    /** Changes in one scope. */
    private static final class ScopeDraft {
        final Map<Integer, StepState> states = new HashMap<>();
        final Map<Integer, Integer> met = new HashMap<>();
        int ended;
        boolean failed;
    }

    /** Progress of one loop. */
    private static final class LoopDraft {
        final Map<Integer, JsonValue> results = new HashMap<>();
        int next;
        int done;
        long resultLength;
    }

    @Override
    public @Nullable StepState of(ScopeState scope, int step) {
        ScopeDraft draft = scopes.get(scope);
        StepState changed = draft == null ? null : draft.states.get(step);
        return changed != null ? changed : scope.state(step);
    }

    void put(Place place, StepState state) {
        scope(place.scope()).states.put(place.step(), state);
    }

    /** Ends a step. */
    void end(Place place, @Nullable JsonValue result) {
        ScopeDraft draft = scope(place.scope());
        draft.states.put(place.step(), new StepState.Ended(result));
        draft.ended++;
        draft.failed |= result == null;
    }

    /** Notes that one need of a step is met; tells whether it was the last. */
    boolean meetNeed(ScopeState scope, int step) {
        int met = scope(scope).met.merge(step, 1, Integer::sum);
        return met == scope.unmet(step);
    }

    /** Whether every step of the scope has ended well. */
    boolean isComplete(ScopeState scope) {
        ScopeDraft draft = scope(scope);
        return scope.remaining() == draft.ended && !scope.failed() && !draft.failed;
    }

    /** Takes the next iteration that has not begun; -1 where there is none. */
    int takeIteration(LoopState loop) {
        LoopDraft draft = loop(loop);
        return draft.next < loop.size() ? draft.next++ : -1;
    }

    void endIteration(LoopState loop, int iteration, JsonValue result) {
        LoopDraft draft = loop(loop);
        draft.results.put(iteration, result);
        draft.done++;
        draft.resultLength += result.length();
    }

    boolean isComplete(LoopState loop) {
        return loop(loop).done == loop.size();
    }

    /** Characters of all results so far. */
    long resultLength(LoopState loop) {
        return loop(loop).resultLength;
    }

    /** The results of all iterations in one array. */
    JsonValue gather(LoopState loop) {
        LoopDraft draft = loop(loop);
        StringBuilder gathered = new StringBuilder((int) draft.resultLength + loop.size() + 2);
        gathered.append('[');
        for (int i = 0; i < loop.size(); i++) {
            JsonValue known = loop.result(i);
            gathered.append(i == 0 ? "" : ",").append(known != null ? known : draft.results.get(i));
        }
        return JsonValue.of(gathered.append(']').toString());
    }

    private ScopeDraft scope(ScopeState scope) {
        return scopes.computeIfAbsent(scope, _ -> new ScopeDraft());
    }

    private LoopDraft loop(LoopState loop) {
        return loops.computeIfAbsent(loop, _ -> {
            LoopDraft draft = new LoopDraft();
            draft.next = loop.next();
            draft.done = loop.done();
            draft.resultLength = loop.resultLength();
            return draft;
        });
    }
}
