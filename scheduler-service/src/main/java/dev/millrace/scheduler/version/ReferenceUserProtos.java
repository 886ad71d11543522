package dev.millrace.scheduler.version;

import dev.millrace.proto.common.v1.ReferenceUser;
import java.util.List;

/** Users of secrets and resources as messages. */
public final class ReferenceUserProtos {
    private ReferenceUserProtos() {}

    /** All but the flows. */
    public static List<ReferenceUser> messages(ReferenceUsers users) {
        return users.others().stream()
                .map(user -> ReferenceUser.newBuilder()
                        .setKind(user.kind())
                        .setPath(user.path())
                        .build())
                .toList();
    }
}
