package dev.millrace.scheduler.access;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Replaces the workspaces that a message names in its fields {@code workspace} and {@code workspaces}, at any depth.
 * Thread-safe.
 */
final class MessageNames {
    private static final Set<String> FIELDS = Set.of("workspace", "workspaces");

    /** For each type of message: its fields that name workspaces, or hold messages that do. */
    private static final Map<Descriptor, List<FieldDescriptor>> NAMING = new ConcurrentHashMap<>();

    private MessageNames() {}

    /** The message with its names replaced; the same object if no name changes. */
    static Message map(Message message, UnaryOperator<String> name) {
        Message.Builder changed = null;
        for (FieldDescriptor field : naming(message.getDescriptorForType())) {
            if (field.isRepeated() ? message.getRepeatedFieldCount(field) > 0 : isSet(message, field)) {
                Object before = message.getField(field);
                Object after = before instanceof List<?> list
                        ? list.stream().map(each -> value(each, name)).toList()
                        : value(before, name);
                if (!after.equals(before)) {
                    changed = changed == null ? message.toBuilder() : changed;
                    changed.setField(field, after);
                }
            }
        }
        return changed == null ? message : changed.build();
    }

    private static boolean isSet(Message message, FieldDescriptor field) {
        return field.hasPresence()
                ? message.hasField(field)
                : !message.getField(field).equals("");
    }

    private static Object value(Object before, UnaryOperator<String> name) {
        return before instanceof Message inner ? map(inner, name) : name.apply((String) before);
    }

    private static List<FieldDescriptor> naming(Descriptor type) {
        List<FieldDescriptor> known = NAMING.get(type);
        if (known == null) {
            known = type.getFields().stream()
                    .filter(field -> names(field, Set.of(type)))
                    .toList();
            NAMING.put(type, known);
        }
        return known;
    }

    /** @param above types of the messages around the field, which may hold each other */
    private static boolean names(FieldDescriptor field, Set<Descriptor> above) {
        if (field.getJavaType() == JavaType.STRING) {
            return FIELDS.contains(field.getName());
        }
        if (field.getJavaType() != JavaType.MESSAGE || field.isMapField() || above.contains(field.getMessageType())) {
            return false;
        }
        Set<Descriptor> deeper = new HashSet<>(above);
        deeper.add(field.getMessageType());
        return field.getMessageType().getFields().stream().anyMatch(inner -> names(inner, deeper));
    }
}
