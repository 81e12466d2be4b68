import { isIPv6 } from 'node:net';
import { type Mask, removed } from './mask.ts';

/** Suffixes of host names. Words that are fields as well (`.name`, `.id`) are none: `messages.0.name` stays. */
const hostSuffix =
  'com|net|org|io|ai|dev|cloud|app|eu|de|fr|nl|uk|us|ch|at|be|es|pl|ie|ca|au|jp|cn|kr|br|gov|edu|tech|xyz|test|invalid|example|internal|local|localdomain|lan|intra|corp|svc|arpa';

/** Words before a colon and a number that are a field, not a server: `content-length:8192`. */
const field =
  '(?!(?:[a-z0-9]{1,40}-){0,8}(?:tokens?|length|limit|size|max|maximum|min|minimum|bytes|count|total|position|line|column|offset|index|characters|status|code|error|step|seed|width|height)s?(?:-?\\d{1,4})?:)';
/** Ports at which models are mostly served: a plain word before one of them is a server. */
const servingPorts = '(?:3000|4000|5000|5001|7860|8000|8001|8002|8080|8081|8443|8888|9000|11434|30000|50051)';

/** Folders at the root of a machine. Those of APIs (`/v1/chat/completions`) and JSON pointers (`#/data/0`) are none. */
const rootFolder =
  '(?:home|Users|root|mnt|opt|srv|var|tmp|etc|usr|data\\d{0,2}|workspaces?|models?|weights|checkpoints|apps?|volumes?|storage|scratch|nfs|efs|fsx|shared?|cache|proc|private|media|Volumes|disk\\d{0,2}|nvme\\d{0,2}|huggingface|hf|ollama|vllm|repository)';
const fileEnding =
  '(?:gguf|ggml|safetensors|bin|pth?|ckpt|onnx|engine|npz|py|so|json|ya?ml|toml|env|pem|key|crt|sock|log|jinja2?|sh|exe|dll)';
const pathEnd = '[^\\s"\'`,()<>]*';

/** Every quantifier that another may follow is bounded, so that no text takes longer than its length. */
export const addressMasks: readonly Mask[] = [
  // Addresses.
  [/\b[a-z][a-z0-9+.-]{0,19}(?::|%3a)(?:\\{0,4}\/|%2f){2}[^\s"'`<>()]*/gi, removed],
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/g, removed],
  [/\barn:[^\s"'`,()]+/gi, removed],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, removed],
  [
    /(?<![\w:.])[0-9a-f]{0,4}:[0-9a-f:.]{1,40}/gi,
    (match) => (isIPv6(match.replace(/[.:]$/, '')) || isIPv6(match) ? removed : match),
  ],
  [new RegExp(`\\b(?:[a-z0-9_-]{1,63}\\.){1,6}(?:${hostSuffix})\\b(?::\\d{1,5})?`, 'gi'), removed],
  [/\blocalhost\b(?::\d{1,5})?/gi, removed],
  [/\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6}:\d{2,5}\b/gi, removed],
  [
    new RegExp(`(?<![\\w-])${field}(?=[a-z-]{0,62}[\\d-])[a-z][a-z0-9-]{0,62}:(?:\\d{3,5}|80)\\b`, 'gi'),
    removed,
  ],
  [new RegExp(`(?<![\\w-])${field}[a-z][a-z0-9]{1,62}:${servingPorts}\\b`, 'gi'), removed],
  [/\bip(?:-\d{1,3}){4}\b(?:\.[\w-]{1,63}){0,6}/gi, removed],
  // Folders and files of the upstream's machine.
  [new RegExp(`(?<![\\w./#])/${rootFolder}/(?!\\d{1,9}\\b)${pathEnd}`, 'g'), removed],
  [
    new RegExp(`(?<![\\w./#])/(?:[\\w.@+-]{1,100}/){1,12}[\\w.@+-]{0,100}\\.${fileEnding}\\b${pathEnd}`, 'g'),
    removed,
  ],
  [/(?<!\w)~\/[^\s"'`,()<>]+/g, removed],
  // The line break of `a:\n` is none.
  [/(?<!\w)[a-z]:\\(?!(?:[nrt]\b|"))[^\s"'`,<>|]*(?:\s[\w.()-]{1,60}\\[^\s"'`,<>|]*){0,4}/gi, removed],
];
