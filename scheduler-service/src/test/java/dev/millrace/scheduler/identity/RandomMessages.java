package dev.millrace.scheduler.identity;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import java.util.List;
import java.util.Random;

/** Messages of any type with random fields, some of which are almost right. */
final class RandomMessages {
    private static final int DEPTH_MAX = 3;
    private static final List<String> TEXTS = List.of(
            "",
            "default",
            "elsewhere",
            "../x",
            "a/b",
            "\0",
            "é".repeat(50),
            "0198f3a2-7b1c-7000-8000-000000000000",
            "x".repeat(2_000),
            "%",
            "user:owner",
            "@internal",
            "~other/python",
            "group:",
            "mru_x");
    private static final List<Long> NUMBERS =
            List.of(0L, 1L, -1L, 7L, 100_000L, (long) Integer.MAX_VALUE, Long.MIN_VALUE);

    private RandomMessages() {}

    static DynamicMessage of(Descriptor type, Random random) {
        return of(type, random, 0);
    }

    private static DynamicMessage of(Descriptor type, Random random, int depth) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            if (random.nextBoolean()
                    || (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && depth >= DEPTH_MAX)) {
                continue;
            }
            if (field.isRepeated()) {
                for (int count = random.nextInt(3); count > 0; count--) {
                    message.addRepeatedField(field, value(field, random, depth));
                }
            } else {
                message.setField(field, value(field, random, depth));
            }
        }
        return message.build();
    }

    private static Object value(FieldDescriptor field, Random random, int depth) {
        return switch (field.getJavaType()) {
            case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
            case BYTE_STRING -> ByteString.copyFromUtf8(TEXTS.get(random.nextInt(TEXTS.size())));
            case INT -> NUMBERS.get(random.nextInt(NUMBERS.size())).intValue();
            case LONG -> NUMBERS.get(random.nextInt(NUMBERS.size()));
            case BOOLEAN -> random.nextBoolean();
            case FLOAT -> random.nextFloat();
            case DOUBLE -> random.nextDouble();
            case ENUM ->
                field.getEnumType()
                        .getValues()
                        .get(random.nextInt(field.getEnumType().getValues().size()));
            case MESSAGE -> of(field.getMessageType(), random, depth + 1);
        };
    }
}
