package dev.millrace.scheduler.rpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/**
 * Estimates the memory that a message takes once it is parsed, from its bytes alone. An empty element takes two bytes
 * on the wire but a whole object in memory, so a message of 8 MB may become 400 MB.
 */
final class MessageWeight {
    /** Memory of one element without its text: about the size of our larger messages without content. */
    private static final int ELEMENT_BYTES = 100;
    /** Depth up to which protobuf itself parses; deeper messages fail when they are parsed. */
    private static final int DEPTH_MAX = 100;

    private MessageWeight() {}

    /**
     * Bytes beyond those of the message itself.
     *
     * @throws IOException if the bytes are no message
     */
    static long of(byte[] message, Descriptor type) throws IOException {
        return elements(CodedInputStream.newInstance(message), type, 0) * ELEMENT_BYTES;
    }

    private static long elements(CodedInputStream in, Descriptor type, int depth) throws IOException {
        long count = 0;
        while (!in.isAtEnd()) {
            int tag = in.readTag();
            count++;
            FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            boolean isMessage = field != null
                    && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
            if (isMessage && depth < DEPTH_MAX) {
                int outer = in.pushLimit(in.readRawVarint32());
                count += elements(in, field.getMessageType(), depth + 1);
                in.popLimit(outer);
            } else {
                in.skipField(tag);
            }
        }
        return count;
    }
}
