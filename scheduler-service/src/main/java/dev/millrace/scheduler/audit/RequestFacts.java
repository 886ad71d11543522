package dev.millrace.scheduler.audit;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.access.v1.Scope;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the audit keeps of the requests of one method: their workspace, their subject and some of their fields.
 *
 * <p>Of texts, only fields with certain names are kept, because any other may hold a payload or a secret. Numbers, times
 * and choices are kept, and bytes never are.
 */
final class RequestFacts {
    /** Fields that name what a request is about, in the order in which they are looked for. */
    private static final List<String> SUBJECTS = List.of(
            "path",
            "run_id",
            "bulk_operation_id",
            "id",
            "subject",
            "service_account",
            "user",
            "name",
            "hash",
            "new_name",
            "file_name",
            "tag",
            "session_id",
            "blob_id");
    /** The field that names what a message in a request describes. */
    private static final String NAME = "name";
    /** Fields whose texts are kept in the details. */
    private static final Set<String> TEXTS = Set.of(
            "principal",
            "action",
            "subject",
            "folder",
            "folders",
            "service_account",
            "user",
            "name",
            "new_name",
            "groups",
            "workspaces",
            "tags",
            "hash",
            "step",
            "actors",
            "reason",
            "path",
            "used_by",
            "store",
            "type",
            "job_id");
    /** Fields that are left out: the workspace, which an event has for itself, and numbers that are as good as passwords. */
    private static final Set<String> LEFT_OUT = Set.of("workspace", "lease_token");
    /** The field in which a caller that may do so names somebody else. */
    private static final String ACTOR = "actor";

    private static final int DEPTH_MAX = 3;
    private static final int ELEMENTS_MAX = 20;

    /** Flag of requests that store a version without leading its path to it. */
    private static final String STORE_ONLY = "store_only";

    private final @Nullable FieldDescriptor workspace;
    private final @Nullable FieldDescriptor storeOnly;
    private final boolean isDefaultMeant;
    /** Where a request names what it is about: a field, or one of a message in it. */
    private final List<List<FieldDescriptor>> subjects;

    RequestFacts(Descriptor request, Scope scope) {
        this.workspace = request.findFieldByName("workspace");
        this.storeOnly = request.findFieldByName(STORE_ONLY);
        this.isDefaultMeant = switch (scope) {
            case SCOPE_WORKSPACE, SCOPE_ANY_FOLDER, SCOPE_PATH, SCOPE_RUN, SCOPE_TARGETS -> true;
            case SCOPE_UNSPECIFIED,
                    SCOPE_PUBLIC,
                    SCOPE_AUTHENTICATED,
                    SCOPE_INSTANCE,
                    SCOPE_SESSION,
                    SCOPE_LEASE,
                    SCOPE_LINK,
                    UNRECOGNIZED -> false;
        };
        this.subjects = Stream.concat(
                        SUBJECTS.stream()
                                .map(request::findFieldByName)
                                .filter(RequestFacts::isText)
                                .map(List::of),
                        request.getFields().stream()
                                .filter(field -> field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
                                .filter(field -> !field.isRepeated())
                                .flatMap(field -> Stream.ofNullable(
                                                field.getMessageType().findFieldByName(NAME))
                                        .filter(RequestFacts::isText)
                                        .map(name -> List.of(field, name))))
                .toList();
    }

    private static boolean isText(@Nullable FieldDescriptor field) {
        return field != null && field.getJavaType() == FieldDescriptor.JavaType.STRING && !field.isRepeated();
    }

    /** The workspace of a request; absent if it concerns none, or one whose name cannot be. */
    Optional<Workspace> workspace(Message request) {
        String name = workspace == null ? "" : (String) request.getField(workspace);
        if (name.isEmpty()) {
            return workspace != null && isDefaultMeant ? Optional.of(Workspace.DEFAULT) : Optional.empty();
        }
        try {
            return Optional.of(Workspace.of(name));
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }

    /** Whether a request stores a version without leading its path to it. */
    boolean storesOnly(Message request) {
        return storeOnly != null && (boolean) request.getField(storeOnly);
    }

    /** What a request is about; empty if it names nothing. */
    String subject(Message request) {
        return subjects.stream()
                .map(fields -> text(request, fields))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .map(AuditDetail::shortened)
                .orElse("");
    }

    private static String text(Message request, List<FieldDescriptor> fields) {
        Message holder = request;
        for (FieldDescriptor field : fields.subList(0, fields.size() - 1)) {
            holder = (Message) holder.getField(field);
        }
        return (String) holder.getField(fields.getLast());
    }

    /**
     * The fields of a request that are kept.
     *
     * @param mayActAs whether the caller may name others as actors; of all others, the name means nothing
     */
    AuditDetail detail(Message request, boolean mayActAs) {
        return new AuditDetail(members(request, mayActAs, DEPTH_MAX));
    }

    private static Map<String, JsonValue> members(Message message, boolean mayActAs, int depth) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        message.getAllFields().forEach((field, value) -> {
            if (!LEFT_OUT.contains(field.getName()) && !field.getOptions().getDebugRedact()) {
                List<JsonValue> kept = Stream.of(value)
                        .flatMap(one -> one instanceof List<?> many ? many.stream() : Stream.of(one))
                        .limit(ELEMENTS_MAX)
                        .flatMap(one -> kept(field, one, mayActAs, depth).stream())
                        .toList();
                if (!kept.isEmpty()) {
                    members.put(field.getName(), field.isRepeated() ? array(kept) : kept.getFirst());
                }
            }
        });
        return members;
    }

    private static Optional<JsonValue> kept(FieldDescriptor field, Object value, boolean mayActAs, int depth) {
        return switch (field.getJavaType()) {
            case INT, LONG, BOOLEAN -> Optional.of(JsonValue.of(value.toString()));
            // As texts, because NaN is no JSON.
            case FLOAT, DOUBLE, ENUM -> Optional.of(JsonValue.ofString(value.toString()));
            case STRING ->
                TEXTS.contains(field.getName()) || (mayActAs && field.getName().equals(ACTOR))
                        ? Optional.of(AuditDetail.text((String) value))
                        : Optional.empty();
            case BYTE_STRING -> Optional.empty();
            case MESSAGE -> kept((Message) value, mayActAs, depth);
        };
    }

    private static Optional<JsonValue> kept(Message value, boolean mayActAs, int depth) {
        return switch (value) {
            case Duration duration -> readable(() -> TimeProtos.duration(duration));
            case Timestamp time -> readable(() -> TimeProtos.instant(time));
            default -> {
                Map<String, JsonValue> members = depth == 0 ? Map.of() : members(value, mayActAs, depth - 1);
                yield members.isEmpty() ? Optional.empty() : Optional.of(JsonValue.ofMembers(members));
            }
        };
    }

    /** A time as text; empty if it is out of range. */
    private static Optional<JsonValue> readable(Supplier<Object> time) {
        try {
            return Optional.of(JsonValue.ofString(time.get().toString()));
        } catch (IllegalArgumentException outside) {
            return Optional.empty();
        }
    }

    private static JsonValue array(List<JsonValue> elements) {
        List<String> texts = new ArrayList<>();
        elements.forEach(element -> texts.add(element.text()));
        return JsonValue.of("[" + String.join(",", texts) + "]");
    }
}
