package dev.millrace.gateway.rpc;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.server.ServiceRequestContext;

/** Puts the workspace that an address names into the message for the scheduler, so that no endpoint can forget it. */
public final class RequestWorkspace {

    /** The parameter of an address, and the field of a message, that names the workspace. */
    public static final String NAME = "workspace";

    private RequestWorkspace() {}

    /** The message with the workspace of the address. An address without a workspace means the default workspace. */
    @SuppressWarnings("unchecked") // A builder of a message builds a message of its type.
    public static <Q> Q of(ServiceRequestContext context, Q request) {
        var workspace = context.pathParam(NAME);
        if (workspace == null || !(request instanceof Message message)) {
            return request;
        }
        FieldDescriptor field = message.getDescriptorForType().findFieldByName(NAME);
        if (field == null) {
            throw new IllegalStateException(message.getDescriptorForType().getFullName() + " has no workspace.");
        }
        return (Q) message.toBuilder().setField(field, workspace).build();
    }
}
