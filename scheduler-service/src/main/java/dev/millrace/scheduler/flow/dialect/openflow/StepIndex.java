package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Index of the places of all steps, and of the expressions that read steps. */
final class StepIndex {
    /** A list of steps, compared by identity. */
    static final class StepsAt {
        private final @Nullable Place around;
        private final String loop;

        private StepsAt(@Nullable Place around, String loop) {
            this.around = around;
            this.loop = loop;
        }

        /** The list of a flow. */
        static StepsAt flow() {
            return new StepsAt(null, "");
        }

        /** A list inside the step at a place. */
        static StepsAt inside(Place around) {
            return new StepsAt(around, "");
        }

        /** The body of a loop. */
        static StepsAt loop(Place around, String id) {
            return new StepsAt(around, id);
        }

        /** Place of the step that contains the list; null for the list of the flow. */
        @Nullable Place around() {
            return around;
        }

        /** Id of the loop whose body the list is; otherwise empty. */
        String loop() {
            return loop;
        }
    }

    /** A position in a list. */
    record Place(StepsAt list, int position) {
        /**
         * The place in another list of this step, or of the step around it; empty if that list does not enclose this
         * place.
         */
        Optional<Place> in(StepsAt other) {
            for (Place place = this; place != null; place = place.list.around()) {
                if (place.list.equals(other)) {
                    return Optional.of(place);
                }
            }
            return Optional.empty();
        }
    }

    /** An expression, with the step that evaluates it and its position in the definition. */
    record Reference(Expression target, Place from, String step, Mark mark, String path) {}

    private final Map<String, Place> byId = new LinkedHashMap<>();
    private final List<Reference> references = new ArrayList<>();

    /** Adds a step. Returns false if its id is taken. */
    boolean add(String id, Place place) {
        return byId.putIfAbsent(id, place) == null;
    }

    boolean contains(String id) {
        return byId.containsKey(id);
    }

    void add(Reference reference) {
        references.add(reference);
    }

    List<Reference> references() {
        return references;
    }

    Map<String, Place> byId() {
        return byId;
    }
}
