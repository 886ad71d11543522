package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.core.definition.InputReference;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.resource.Resources;
import dev.millrace.scheduler.resource.core.ResourceValue;
import dev.millrace.scheduler.secret.Secrets;
import dev.millrace.scheduler.secret.core.SecretValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Gives a running job the values to which the definition of its step refers, and no others. What may be referred to was
 * decided when the flow was deployed or the run was submitted; see {@code ReferenceRights}.
 */
public final class JobSecrets {
    /** Number of values that are read together. The largest of them fill the room of an input. */
    private static final int LOADED_AT_ONCE_MAX = 16;

    private final JobStepStore steps;
    private final FlowCatalog catalog;
    private final Secrets secrets;
    private final Resources resources;

    public JobSecrets(Database database, FlowCatalog catalog, Secrets secrets, Resources resources) {
        this.steps = new JobStepStore(database);
        this.catalog = catalog;
        this.secrets = secrets;
        this.resources = resources;
    }

    /** A value to put into the input, at a JSON pointer. */
    record Placed(String pointer, JsonValue value) {}

    /**
     * The values for the input of a job.
     *
     * @param used the secrets in them, which are to be masked
     */
    record Resolved(List<Placed> placed, Set<SecretValue> used) {
        static final Resolved NOTHING = new Resolved(List.of(), Set.of());

        Resolved {
            placed = List.copyOf(placed);
            used = Set.copyOf(used);
        }
    }

    /** The values for the job of a lease; empty if it has lost the lease. */
    Optional<Resolved> resolve(LeaseCredential lease) {
        return switch (steps.find(lease)) {
            case JobStepStore.Found.LeaseLost() -> Optional.empty();
            case JobStepStore.Found.NoStep() -> Optional.of(Resolved.NOTHING);
            case JobStepStore.Found.Step step ->
                Optional.of(resolve(
                        step.workspace(),
                        catalog.model(step.flow()).references(step.key()).toList()));
        };
    }

    private Resolved resolve(Workspace workspace, List<InputReference> references) {
        if (references.isEmpty()) {
            return Resolved.NOTHING;
        }
        Map<String, ResourceValue> values = load(
                paths(references, ReferenceKind.RESOURCE),
                some -> resources.resolve(workspace, some),
                value -> value.json().text().length());
        Set<String> named = paths(references, ReferenceKind.SECRET);
        values.values().forEach(value -> named.addAll(value.secrets()));
        Map<String, SecretValue> known = load(
                named,
                some -> secrets.resolve(workspace, some),
                value -> value.text().length());
        InputRoom room = new InputRoom();
        List<Placed> placed = new ArrayList<>();
        for (InputReference reference : references) {
            placed.add(new Placed(reference.pointer(), value(reference.parts(), values, known, room)));
        }
        return new Resolved(placed, Set.copyOf(known.values()));
    }

    /** Loads values a few at a time, until they have no room in the input of a job. */
    private static <V> Map<String, V> load(
            Set<String> paths, Function<List<String>, Map<String, V>> read, ToIntFunction<V> size) {
        InputRoom room = new InputRoom();
        Map<String, V> loaded = new HashMap<>();
        List<String> all = List.copyOf(paths);
        for (int from = 0; from < all.size(); from += LOADED_AT_ONCE_MAX) {
            Map<String, V> some = read.apply(all.subList(from, Math.min(all.size(), from + LOADED_AT_ONCE_MAX)));
            some.values().forEach(value -> room.take(size.applyAsInt(value)));
            loaded.putAll(some);
        }
        return loaded;
    }

    private static Set<String> paths(List<InputReference> references, ReferenceKind kind) {
        return references.stream()
                .flatMap(InputReference::named)
                .filter(reference -> reference.kind() == kind)
                .map(Root.Reference::path)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static JsonValue value(
            List<InputReference.Part> parts,
            Map<String, ResourceValue> values,
            Map<String, SecretValue> known,
            InputRoom room) {
        if (parts.size() == 1 && parts.getFirst() instanceof InputReference.Part.Value(Root.Reference only)) {
            return value(only, values, known, room);
        }
        StringBuilder joined = new StringBuilder();
        for (InputReference.Part part : parts) {
            switch (part) {
                case InputReference.Part.Literal(String text) -> joined.append(text);
                case InputReference.Part.Value(Root.Reference reference) ->
                    joined.append(text(value(reference, values, known, room)));
            }
        }
        return JsonValue.ofString(joined.toString());
    }

    private static String text(JsonValue value) {
        return value.kind() == JsonValue.Kind.STRING ? value.string() : value.toString();
    }

    private static JsonValue value(
            Root.Reference reference,
            Map<String, ResourceValue> values,
            Map<String, SecretValue> known,
            InputRoom room) {
        return switch (reference.kind()) {
            case SECRET -> JsonValue.ofString(known(known, reference.path(), room));
            case RESOURCE -> {
                ResourceValue value = Objects.requireNonNull(values.get(reference.path()), reference.path());
                room.take(value.json().text().length());
                yield value.resolve(path -> known(known, path, room));
            }
        };
    }

    private static String known(Map<String, SecretValue> known, String path, InputRoom room) {
        String text = Objects.requireNonNull(known.get(path), path).text();
        room.take(text.length());
        return text;
    }
}
