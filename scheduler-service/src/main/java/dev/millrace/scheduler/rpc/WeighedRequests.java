package dev.millrace.scheduler.rpc;

import com.google.protobuf.Message;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reserves the memory of a service's requests before they are parsed: see {@link MessageWeight}. */
final class WeighedRequests {
    /** Smaller messages are covered by what is reserved for each call. */
    private static final int WEIGHED_BYTES_MIN = 1 << 10;
    /** Smaller messages of workers are not weighed: they are parsed one after the other. */
    private static final int WEIGHED_OF_SESSION_BYTES_MIN = 64 << 10;

    private static final int PIECE_BYTES = 64 << 10;

    private WeighedRequests() {}

    static ServerServiceDefinition of(ServerServiceDefinition service) {
        ServiceDescriptor.Builder descriptor = ServiceDescriptor.newBuilder(
                        service.getServiceDescriptor().getName())
                .setSchemaDescriptor(service.getServiceDescriptor().getSchemaDescriptor());
        var methods =
                service.getMethods().stream().map(WeighedRequests::weighed).toList();
        methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
        ServerServiceDefinition.Builder weighed = ServerServiceDefinition.builder(descriptor.build());
        methods.forEach(weighed::addMethod);
        return weighed.build();
    }

    private static <Q, A> ServerMethodDefinition<Q, A> weighed(ServerMethodDefinition<Q, A> method) {
        MethodDescriptor<Q, A> descriptor = method.getMethodDescriptor();
        return descriptor.getRequestMarshaller() instanceof PrototypeMarshaller<Q> marshaller
                        && marshaller.getMessagePrototype() instanceof Message prototype
                ? ServerMethodDefinition.create(
                        descriptor.toBuilder(new Weighing<>(marshaller, prototype), descriptor.getResponseMarshaller())
                                .build(),
                        method.getServerCallHandler())
                : method;
    }

    /**
     * Weighs each message before parsing it. If there is no room for a message, parses an empty one instead, which the
     * refused call never passes to its service.
     */
    private record Weighing<Q>(PrototypeMarshaller<Q> marshaller, Message prototype) implements PrototypeMarshaller<Q> {
        @Override
        public Q parse(InputStream stream) {
            CallMemory memory = CallMemory.KEY.get();
            if (memory == null || isSmall(stream, memory)) {
                return marshaller.parse(stream);
            }
            return weighed(stream, memory).map(marshaller::parse).orElseGet(this::nothing);
        }

        private static boolean isSmall(InputStream stream, CallMemory memory) {
            int limit = memory.isSession() ? WEIGHED_OF_SESSION_BYTES_MIN : WEIGHED_BYTES_MIN;
            try {
                return stream instanceof KnownLength && stream.available() < limit;
            } catch (IOException impossible) {
                return false;
            }
        }

        private Optional<InputStream> weighed(InputStream stream, CallMemory memory) {
            if (memory.isRefused()) {
                return Optional.empty();
            }
            byte[] bytes = stream instanceof KnownLength ? read(stream) : inflate(stream, memory);
            return bytes != null && memory.admitParsed(weight(bytes))
                    ? Optional.of(new Bytes(bytes))
                    : Optional.empty();
        }

        private long weight(byte[] bytes) {
            try {
                return MessageWeight.of(bytes, prototype.getDescriptorForType());
            } catch (IOException malformed) {
                // The parser rejects the message.
                return 0;
            }
        }

        @SuppressWarnings("unchecked") // the prototype is of the type of the requests
        private Q nothing() {
            return (Q) prototype.getDefaultInstanceForType();
        }

        @Override
        public InputStream stream(Q value) {
            return marshaller.stream(value);
        }

        @Override
        public Class<Q> getMessageClass() {
            return marshaller.getMessageClass();
        }

        @Override
        public @Nullable Q getMessagePrototype() {
            return marshaller.getMessagePrototype();
        }
    }

    private static byte[] read(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException broken) {
            throw new java.io.UncheckedIOException("A message in memory could not be read.", broken);
        }
    }

    /** Unpacks a compressed message, whose size is unknown before; null if there is no room for it. */
    private static byte @Nullable [] inflate(InputStream stream, CallMemory memory) {
        var bytes = new ByteArrayOutputStream();
        try {
            for (byte[] piece = stream.readNBytes(PIECE_BYTES);
                    piece.length > 0;
                    piece = stream.readNBytes(PIECE_BYTES)) {
                if (!memory.admitParsed(piece.length)) {
                    return null;
                }
                bytes.writeBytes(piece);
            }
            return bytes.toByteArray();
        } catch (IOException broken) {
            throw new java.io.UncheckedIOException("A compressed message could not be unpacked.", broken);
        }
    }

    /** A message that is complete in memory. */
    private static final class Bytes extends ByteArrayInputStream implements KnownLength {
        Bytes(byte[] bytes) {
            super(bytes);
        }
    }
}
