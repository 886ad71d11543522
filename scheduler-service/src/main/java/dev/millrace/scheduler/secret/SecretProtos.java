package dev.millrace.scheduler.secret;

import dev.millrace.proto.secret.v1.SecretVersion;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.secret.core.StoreKind;
import dev.millrace.scheduler.version.ReferenceUserProtos;
import java.util.Optional;

/** Secrets as messages. */
final class SecretProtos {
    private SecretProtos() {}

    static dev.millrace.proto.secret.v1.Secret message(Secret secret) {
        return dev.millrace.proto.secret.v1.Secret.newBuilder()
                .setPath(secret.path())
                .setStore(store(secret.store()))
                .setDescription(secret.description())
                .setVersion(secret.version())
                .addAllVersions(
                        secret.versions().stream().map(SecretProtos::version).toList())
                .addAllUsedBy(secret.users().flows())
                .addAllOtherUsers(ReferenceUserProtos.messages(secret.users()))
                .build();
    }

    private static SecretVersion version(Secret.Version version) {
        return SecretVersion.newBuilder()
                .setVersion(version.number())
                .setCreatedBy(version.createdBy())
                .setCreatedAt(TimeProtos.timestamp(version.createdAt()))
                .build();
    }

    private static dev.millrace.proto.secret.v1.Secret.Store store(StoreKind kind) {
        return switch (kind) {
            case LOCAL -> dev.millrace.proto.secret.v1.Secret.Store.STORE_LOCAL;
            case FOLDER -> dev.millrace.proto.secret.v1.Secret.Store.STORE_FOLDER;
            case VAULT -> dev.millrace.proto.secret.v1.Secret.Store.STORE_VAULT;
        };
    }

    /** The store of a request; empty if it is unknown here. */
    static Optional<StoreKind> store(dev.millrace.proto.secret.v1.Secret.Store store) {
        return switch (store) {
            case STORE_UNSPECIFIED, STORE_LOCAL -> Optional.of(StoreKind.LOCAL);
            case STORE_FOLDER -> Optional.of(StoreKind.FOLDER);
            case STORE_VAULT -> Optional.of(StoreKind.VAULT);
            case UNRECOGNIZED -> Optional.empty();
        };
    }
}
