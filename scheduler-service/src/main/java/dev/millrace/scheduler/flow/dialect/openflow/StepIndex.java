package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the steps of a flow stand, and what the expressions at each place read. */
final class StepIndex {
    /** A list of steps; equal to itself alone. */
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

        /** The body of the loop at a place, by its id. */
        static StepsAt loop(Place around, String id) {
            return new StepsAt(around, id);
        }

        /** The place of the step that holds it; null for the list of the flow. */
        @Nullable Place around() {
            return around;
        }

        /** Id of the loop whose body it is; empty where it is none. */
        String loop() {
            return loop;
        }
    }

    /** A position in a list. */
    record Place(StepsAt list, int position) {
        /** The place of this or of a step around it in another list; empty where that list is not around it. */
        Optional<Place> in(StepsAt other) {
            for (Place place = this; place != null; place = place.list.around()) {
                if (place.list.equals(other)) {
                    return Optional.of(place);
                }
            }
            return Optional.empty();
        }
    }

    /** An expression that reads something. */
    record Reference(Expression target, Place from, String step, Mark mark, String path) {}

    private final Map<String, Place> byId = new LinkedHashMap<>();
    private final List<Reference> references = new ArrayList<>();

    /** Notes a step; tells whether its id is free. */
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
