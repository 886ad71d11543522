package dev.millrace.gateway.identity;

import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.Principal;
import dev.millrace.proto.identity.v1.RoleBinding;
import dev.millrace.proto.identity.v1.TokenRestrictions;
import java.io.IOException;

/** Principals and roles in JSON. */
public final class IdentityJson {

    private static final String ROLE_PREFIX = "ROLE_";

    private IdentityJson() {}

    static void principal(JsonWriter json, Principal principal) {
        json.optionalText("id", principal.getId());
        json.text("kind", EnumNames.json(principal.getKind(), "KIND_"));
        json.text("name", principal.getName());
        json.optionalText("workspace", principal.getWorkspace());
        json.texts("groups", principal.getGroupsList());
        json.flag("may_act_as", principal.getMayActAs());
        json.time("create_time", principal.getCreateTime());
        json.time("disable_time", principal.getDisableTime());
    }

    static void roleBinding(JsonWriter json, RoleBinding binding) {
        json.optionalText("workspace", binding.getWorkspace());
        json.optionalText("folder", binding.getFolder());
        json.text("subject", binding.getSubject());
        json.text("role", role(binding.getRole()));
    }

    /** The name of a role in JSON. */
    public static String role(Role role) {
        return EnumNames.json(role, ROLE_PREFIX);
    }

    /** Reads the name of a role. */
    public static Role role(JsonReader json) throws IOException {
        var name = json.text();
        return EnumNames.parse(Role.class, ROLE_PREFIX, name)
                .orElseThrow(() ->
                        json.wrong("is \"" + name + "\" (expected: " + EnumNames.known(Role.class, ROLE_PREFIX) + ")"));
    }

    /** Writes what a token is restricted to into an object. */
    public static void restrictions(JsonWriter json, TokenRestrictions cut) {
        if (cut.getWorkspacesCount() > 0) {
            json.texts("workspaces", cut.getWorkspacesList());
        }
        if (cut.getFoldersCount() > 0) {
            json.texts("folders", cut.getFoldersList());
        }
        if (cut.getRoleMax() != Role.ROLE_UNSPECIFIED) {
            json.text("role_max", role(cut.getRoleMax()));
        }
        if (cut.getTagsCount() > 0) {
            json.texts("tags", cut.getTagsList());
        }
    }
}
