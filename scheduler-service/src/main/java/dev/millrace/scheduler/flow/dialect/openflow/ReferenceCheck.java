package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.Place;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.Reference;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Check that expressions read only steps that have ended by then. A step that does not exist has the result null, as in
 * Windmill.
 */
final class ReferenceCheck {
    private final Reading reading;

    ReferenceCheck(Reading reading) {
        this.reading = reading;
    }

    void check() {
        for (Reference reference : reading.steps().references()) {
            for (String id : new TreeSet<>(reference.target().reads().steps())) {
                check(reference, id);
            }
        }
    }

    private void check(Reference reference, String id) {
        Place read = reading.steps().byId().get(id);
        if (read == null) {
            unknown(reference, id);
            return;
        }
        String insideOf = "";
        for (Place place = read; place != null; place = place.list().around()) {
            Optional<Place> reader = reference.from().in(place.list());
            if (reader.isPresent()) {
                if (!insideOf.isEmpty()) {
                    insideLoop(reference, id, insideOf);
                } else if (reader.get().position() <= place.position()) {
                    tooEarly(reference, id);
                }
                return;
            }
            insideOf = place.list().loop().isEmpty() ? insideOf : place.list().loop();
        }
    }

    private void unknown(Reference reference, String id) {
        TreeSet<String> known = new TreeSet<>(reading.steps().byId().keySet());
        reading.warn(
                reference.mark(),
                reference.path(),
                "There is no step \"" + id + "\": its result is null.",
                Nearest.didYouMean(id, known) + "Steps of the flow: " + String.join(", ", known) + ".");
    }

    private void insideLoop(Reference reference, String id, String loop) {
        problem(
                reference,
                "Step \"" + id + "\" is inside the loop \"" + loop + "\" and cannot be read from outside of it.",
                "Read results." + loop + ", the array of what its iterations result in.");
    }

    private void tooEarly(Reference reference, String id) {
        problem(
                reference,
                id.equals(reference.step())
                        ? "Step \"" + id + "\" reads its own result."
                        : "Step \"" + id + "\" has not ended when this is evaluated.",
                id.equals(reference.step())
                        ? "Read result only in expressions evaluated after the step; before it, read the results of earlier steps."
                        : "Read the results of earlier steps.");
    }

    private void problem(Reference reference, String message, String remedy) {
        reading.problem(reference.mark(), reference.path(), message, remedy);
    }
}
