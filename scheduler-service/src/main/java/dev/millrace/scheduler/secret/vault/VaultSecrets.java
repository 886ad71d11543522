package dev.millrace.scheduler.secret.vault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.secret.external.ExternalSource;
import java.util.Optional;

/**
 * Values in the key-value engine, version 2. The last part of a path is a field of the entry that the workspace and the
 * rest of the path name: the secret {@code shop/api_key} of the workspace {@code default} is the field {@code api_key} of
 * the entry {@code PREFIX/default/shop}.
 */
public final class VaultSecrets implements ExternalSource {
    private final VaultClient client;

    public VaultSecrets(VaultClient client) {
        this.client = client;
    }

    @Override
    public Optional<String> find(Workspace workspace, String path) {
        int field = path.lastIndexOf('/') + 1;
        String entry = workspace.name() + (field == 0 ? "" : "/" + path.substring(0, field - 1));
        return client.get(client.config().mount() + "/data/" + client.config().prefix() + "/" + entry)
                .map(answer -> answer.path("data").path("data").path(path.substring(field)))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue);
    }
}
