import type { en } from './messages.en';

export const zh: typeof en = {
  statuses: { created: '等待中', processing: '处理中', ready: '就绪', failed: '失败', unknown: '未知' },
  stages: {
    fetching: '获取',
    parsing: '解析',
    extracting: '识别文字',
    splitting: '分块',
    storing: '存储',
    unknown: '未知阶段',
  },
  readBy: {
    names: {
      docling: 'docling',
      tesseract: 'Tesseract',
      tika: 'Apache Tika',
      openai: '视觉模型',
      http: 'HTTP 引擎',
    },
    label: '读取方式',
    of: (name) => `由 ${name} 读取`,
    choose: (name) => `使用 ${name}`,
  },
  readers: {
    auto: () => '自动：按服务器配置',
    own: () => '仅 Lectern',
    engine: (engine) => `提取引擎：${engine}`,
    unknown: () => '未知',
  },
  noSource: '尚无内容',
  attempt: (attempt) => `第 ${attempt} 次尝试`,
  warningCount: (count) => `${count} 条警告`,
  inFile: (name) => `（“${name}”内）`,
  pages: (count, ranges, more) => `第 ${ranges.join('、')} 页${more > 0 ? `等共 ${count} 页` : ''}`,
  names: (count, names, more) =>
    names.length === 0 ? `共 ${count} 处` : `${names.join('、')}${more > 0 ? ` 等共 ${count} 处` : ''}`,
  advice: {
    encrypted: '请去掉文件密码后重新添加。',
    damaged: '请用相应程序打开文件，另存后重新添加。',
    format: '请将文件转换为 PDF、DOCX 或文本后重新添加。',
    empty: '请添加包含文字的文件；图片请先进行文字识别（OCR）。',
    scanned: '请先进行文字识别（OCR），再添加识别结果。',
    split: '请将文件拆分为较小的文件后添加。',
    address: '请在浏览器中打开该地址；能打开后再重试。',
    access: '请联系服务器管理员开放该位置，然后重试。',
    missing: '请重新添加该文件。',
    quota: '请删除不需要的内容或提高配额，然后重试。',
    cancelled: '需要其分块时请重试。',
    again: '请重试。如果再次失败，服务器日志中有更多信息。',
    source: '请修正来源后重试。',
  },
  losses: {
    pages_without_text: {
      what: '只有图片的页面',
      advice: '请对这些页面进行文字识别（OCR），然后重新上传文件。',
    },
    unreadable_pages: {
      what: '已损坏的页面',
      advice: '请用相应程序打开文件，重新保存后再上传。',
    },
    unknown_characters: {
      what: '文件未定义的字符',
      advice: '这些页面可能缺字或有错字。请重新导出文件，或进行文字识别（OCR）后再上传。',
    },
    unreadable_attachments: {
      what: '未读取的附件',
      advice: '请去除密码，转换为 PDF、DOCX 或文本，再各自添加为单独的文档。',
    },
    sections_left_out: {
      what: '被视为导航或广告的部分',
      advice: '如果它们属于正文，请将其文字粘贴为单独的文档。',
    },
    unknown: { what: '丢失了此版本不认识的内容。', advice: '由较新版本的服务器读取：升级完成后再查看。' },
    unreadable_parts: {
      what: '损坏或缺失的部分',
      advice: '请用相应程序打开文件，重新保存后再上传。',
    },
  },
};
