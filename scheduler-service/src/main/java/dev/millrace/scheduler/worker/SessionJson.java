package dev.millrace.scheduler.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.millrace.proto.worker.v1.SlotGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The JSON form in which the database stores what a worker reports about itself. */
final class SessionJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

    private SessionJson() {}

    static String write(Map<String, String> texts) {
        return JSON.valueToTree(texts).toString();
    }

    static Map<String, String> read(String column) {
        try {
            return JSON.readValue(column, TEXTS);
        } catch (JsonProcessingException notOurs) {
            throw new IllegalStateException("The labels in worker_session are not valid", notOurs);
        }
    }

    static String writeGroups(List<SlotGroup> groups) {
        ArrayNode array = JSON.createArrayNode();
        for (SlotGroup group : groups) {
            ArrayNode tags = JSON.createArrayNode();
            group.getTagsList().forEach(tags::add);
            array.addObject()
                    .put("name", group.getName())
                    .put("slots", group.getSlots())
                    .put("prefetch", group.getPrefetch())
                    .put("pause_reason", group.getPauseReason())
                    .set("tags", tags);
        }
        return array.toString();
    }

    static List<SlotGroup> readGroups(String column) {
        try {
            List<SlotGroup> groups = new ArrayList<>();
            for (JsonNode group : JSON.readTree(column)) {
                SlotGroup.Builder builder = SlotGroup.newBuilder()
                        .setName(group.required("name").textValue())
                        .setSlots(group.required("slots").intValue())
                        .setPrefetch(group.required("prefetch").intValue())
                        .setPauseReason(group.path("pause_reason").asText(""));
                group.required("tags").forEach(tag -> builder.addTags(tag.textValue()));
                groups.add(builder.build());
            }
            return groups;
        } catch (JsonProcessingException notOurs) {
            throw new IllegalStateException("The slot groups in worker_session are not valid", notOurs);
        }
    }
}
