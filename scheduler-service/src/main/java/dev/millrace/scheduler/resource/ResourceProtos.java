package dev.millrace.scheduler.resource;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.version.ReferenceUserProtos;

/** Resources and their types as messages. */
final class ResourceProtos {
    private ResourceProtos() {}

    static dev.millrace.proto.secret.v1.Resource message(Resource resource) {
        dev.millrace.proto.secret.v1.Resource.Builder message = dev.millrace.proto.secret.v1.Resource.newBuilder()
                .setPath(resource.path())
                .setType(resource.type())
                .setDescription(resource.description())
                .setUpdatedBy(resource.updatedBy())
                .setUpdatedAt(TimeProtos.timestamp(resource.updatedAt()))
                .addAllUsedBy(resource.users().flows())
                .addAllOtherUsers(ReferenceUserProtos.messages(resource.users()));
        resource.value().ifPresent(value -> message.setValue(ByteString.copyFromUtf8(value.text())));
        return message.build();
    }

    static dev.millrace.proto.secret.v1.ResourceType message(ResourceType type) {
        return dev.millrace.proto.secret.v1.ResourceType.newBuilder()
                .setName(type.name())
                .setSchema(ByteString.copyFromUtf8(type.schema().text()))
                .setDescription(type.description())
                .build();
    }
}
