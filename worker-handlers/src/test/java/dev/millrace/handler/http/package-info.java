@NullMarked
package dev.millrace.handler.http;

import org.jspecify.annotations.NullMarked;
