@NullMarked
package dev.millrace.client.internal.access;

import org.jspecify.annotations.NullMarked;
